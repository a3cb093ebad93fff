"""Pictures of every page and table state that matters, in every width and both themes, with an index.

python -m bench.gallery /tmp/gallery                     # everything: some minutes
python -m bench.gallery /tmp/gallery --only red --width 320 --theme dark
"""
