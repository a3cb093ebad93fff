"""Pictures of every page and table state that matters, in every width and both themes, with an index.

python -m bench.gallery pictures                    # everything, into a folder: some minutes
python -m bench.gallery pictures --only red --width 320 --theme dark
"""
