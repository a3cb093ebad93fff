"""Creatures with fur. Pure."""

from __future__ import annotations

from games.titles.power_cards.art.kit import (
    asleep,
    bead,
    block,
    cheeks,
    dots,
    eye,
    eyes,
    ground,
    legs,
    line,
    round_,
    shape,
    smile,
    symbol,
    tones,
    whiskers,
)

DRUM_HARE = symbol(
    "c05",
    tones(202, 40, 60),
    ground(58, 40),
    shape("M44 36C30 26 28 8 34 1c10 4 16 20 16 32zM62 34c0-14 8-28 16-32 6 8 2 26-10 36z"),
    shape("M43 28C36 20 36 12 37 8c5 5 8 13 9 20zM66 28c0-8 4-15 9-20 2 6-1 14-5 20z", "c"),
    round_(56, 74, 27, 20),
    round_(88, 80, 8, paint="c"),
    round_(56, 46, 21),
    eyes(48, 64, 43, 5.5, 0.25),
    shape("M51 52h10l-5 5z", "b"),
    '<path d="M53 57h6v6h-6z" fill="#fffdf8"/>',
    cheeks(42, 70, 53),
    '<path d="M32 70h48l-4 20H36z" fill="#d64545"/><ellipse cx="56" cy="70" rx="24" ry="6" fill="#fff3d6"/>'
    '<path d="M36 76l8 12 8-11 8 11 8-11 6 8" fill="none" stroke="#f6d04d" stroke-width="2.500"/>',
    line("M22 52 46 68M94 50 66 68", "b", 3.5),
    dots("w", (48, 69, 4), (64, 69, 4)),
    round_(24, 55, 7),
    round_(91, 54, 7),
)
SNOOZE_BEAR = symbol(
    "c06",
    tones(26, 34, 40),
    ground(60, 54),
    shape("M30 88C26 62 46 46 72 46c28 0 42 18 42 42z"),
    round_(104, 84, 11, 8, "b"),
    round_(34, 72, 25, 20),
    dots("b", (14, 62, 7), (52, 54, 8)),
    dots("c", (14, 62, 3.5), (52, 54, 4)),
    round_(28, 80, 13, 9, "c"),
    round_(24, 76, 4, 3, "k"),
    asleep(22, 66, 5),
    asleep(40, 66, 5),
    smile(26, 82, 4),
    '<path d="M22 56C28 36 52 30 72 40c6 4 8 10 5 13-6-6-14-8-22-5z" fill="#3f6fb5"/>'
    '<path d="M20 59q18-14 37-8" fill="none" stroke="#fffdf8" stroke-width="6" '
    'stroke-linecap="round"/><circle cx="77" cy="55" r="6" fill="#fffdf8"/>',
    line("M84 12h9l-9 10h9M99 26h7l-7 8h7", "b", 2.8),
    block(46, 82, 30, 10, 5, "b"),
)
GUST_FOX = symbol(
    "c07",
    tones(20, 74, 52),
    ground(52, 36),
    shape("M70 80c26 8 46-6 46-30 0-26-30-34-40-16-7 14 12 24 19 12-3 14-16 18-22 16-2 8-6 12-14 12z"),
    line("M78 74c20 2 32-10 31-25-1-16-20-22-26-10-4 8 6 13 9 6", "w", 4),
    line("M88 12c10-8 22-4 22 4M96 88c8 0 14-4 18-9M74 12c3-4 6-6 10-7", "b", 3),
    legs(74, 9, 34, 46, 66, 76),
    shape("M26 66c0-12 12-18 28-18s28 6 28 18-12 16-28 16-28-4-28-16z"),
    shape("M12 22 14 2l14 12h12L54 2l2 20c4 16-8 28-22 30C20 50 8 38 12 22z"),
    shape("M17 16 18 9l6 6zM51 16l-1-7-6 6z", "b"),
    shape("M12 32c6 2 14 6 22 18 8-12 16-16 22-18-2 14-12 20-22 22-10-2-20-8-22-22z", "w"),
    round_(34, 48, 3.5, 3, "k"),
    eyes(26, 43, 30, 5, -0.2),
    line("M24 68q10 10 24 8", "w", 5),
)
TUMBLE_WEASEL = symbol(
    "c10",
    tones(32, 46, 52),
    ground(60, 34),
    line("M88 44a30 30 0 1 0-8 34", "a", 19),
    line("M84 62a26 26 0 0 1-40 16", "c", 7),
    line("M34 40q-12 0-18-10M42 82q-6 6-16 6", "b", 8),
    shape("M92 82q16 2 22-12-14-4-18 6z", "b"),
    round_(86, 46, 19, 17),
    dots("a", (74, 31, 6), (98, 32, 6)),
    dots("c", (74, 31, 3), (98, 32, 3)),
    round_(88, 53, 11, 8, "w"),
    round_(88, 49, 3.5, 2.8, "k"),
    eyes(79, 95, 42, 4.8, 0.2),
    smile(88, 55, 4),
    line("M74 64 62 60M70 72 60 70", "b", 8),
    line("M12 50Q8 62 14 74M4 54q-2 8 1 14M34 10q6-5 14-6", "b", 2.5),
)
GRANITE_MOLE = symbol(
    "c11",
    tones(250, 12, 40),
    ground(60, 56),
    shape("M24 92C20 46 34 14 60 14s40 32 36 78z"),
    shape("M42 56q18-10 36 0 8 22 4 36H38q-4-14 4-36z", "c"),
    '<path d="M46 38h28L66 56q-6 6-12 0z" fill="#f29bb0"/><circle cx="60" cy="53" r="8" fill="#e0557a"/>',
    round_(47, 34, 10, paint="w"),
    round_(73, 34, 10, paint="w"),
    bead(48, 35, 3.6),
    bead(72, 35, 3.6),
    line("M37 34a10 10 0 1 1 20 0 10 10 0 1 1-20 0M63 34a10 10 0 1 1 20 0 10 10 0 1 1-20 0M57 32q3-2 6 0", "k", 2.6),
    '<g fill="#d9718c"><path d="M2 62q8-12 22-6l12 16-14 10q-5-2-3-7-7 5-11 0 1-4 5-6-8 1-11-7z'
    'M118 62q-8-12-22-6L84 72l14 10q5-2 3-7 7 5 11 0-1-4-5-6 8 1 11-7z"/></g>',
    '<path d="M2 92 10 80l14 3 8-7 12 9 14-5 16 6 10-9 14 5 10-3 10 13z" fill="#8d949d"/>'
    '<path d="M10 80l6 12M32 76l2 16M58 80l-4 12M84 77l4 15M108 79l-4 13" stroke="#5f666f" stroke-width="2"/>',
)
JAM_BADGER = symbol(
    "c12",
    tones(225, 8, 40),
    ground(56, 38),
    shape("M82 84q18-2 22-20-16 0-24 10z", "b"),
    shape("M28 70c0-14 12-22 28-22s28 8 28 22-12 20-28 20-28-6-28-20z"),
    dots("a", (32, 18, 8), (80, 18, 8)),
    dots("w", (32, 18, 4), (80, 18, 4)),
    shape("M26 34c0-16 12-24 30-24s30 8 30 24c0 14-14 24-30 24S26 48 26 34z", "w"),
    shape("M33 20q6-8 14-8 4 18-1 38-10-2-15-10-3-10 2-20zM79 20q-6-8-14-8-4 18 1 38 10-2 15-10 3-10-2-20z", "k"),
    eyes(41, 71, 32, 4.8, 0.1),
    round_(56, 48, 6, 4.5, "k"),
    smile(56, 54, 4),
    '<rect x="40" y="64" width="32" height="28" rx="6" fill="#c62f4b"/><rect x="40" y="76" '
    'width="32" height="9" fill="#fffdf8"/>'
    '<rect x="38" y="58" width="36" height="8" rx="3" fill="#e9b64c"/><circle cx="52" '
    'cy="80.500" r="3" fill="#c62f4b"/><circle cx="58" cy="80.500" r="3" fill="#c62f4b"/>'
    '<path d="M68 64q6 4 4 14-3 4-4-1z" fill="#e2566e"/>',
    block(30, 70, 14, 9, 4.5, "b", 20),
    block(68, 70, 14, 9, 4.5, "b", -20),
)
ICICLE_LYNX = symbol(
    "c13",
    tones(192, 30, 68),
    ground(62, 46),
    legs(72, 10, 42, 56, 84, 98, paint="a"),
    shape("M100 56c14-2 18-14 14-22-4 6-10 8-16 10z"),
    block(30, 46, 76, 32, 16),
    dots("b", (70, 58, 3), (84, 64, 3.500), (92, 54, 2.500), (76, 68, 2.500)),
    shape("M14 34 12 10 6 0l16 10 10 8h10l10-8L68 0l-6 10-2 24c0 20-12 26-23 26S14 54 14 34z"),
    shape("M18 14l8 7-8 8zM56 14l-8 7 8 8z", "b"),
    '<path d="M12 40l8 10-2 22-6-16-5 6zM62 40l-8 10 2 22 6-16 5 6zM28 58l4 16 4-14 4 18 4-20z" '
    'fill="#e9f8ff" stroke="#8fc3d8" stroke-width="1.500" stroke-linejoin="round"/>',
    round_(37, 48, 12, 9, "c"),
    shape("M32 43h10l-5 5z", "b"),
    eyes(27, 47, 34, 6, 0.1),
    smile(37, 50, 4),
)
NOODLE_OTTER = symbol(
    "c18",
    tones(24, 38, 44),
    ground(58, 46),
    line("M34 30C34 60 42 78 58 80s22-16 16-28 6-24 20-18", "a", 21),
    line("M36 40c2 18 10 32 22 34", "c", 8),
    shape("M92 26q22-6 26 10-8 14-24 8z", "b"),
    round_(36, 25, 20, 18),
    dots("b", (18, 15, 5.5), (54, 14, 5.5)),
    round_(34, 33, 12, 8, "c"),
    round_(34, 29, 4, 3, "k"),
    eyes(26, 43, 21, 5, -0.2),
    whiskers(22, 46, 33, "k"),
    line("M44 58 30 68M40 50 26 54", "b", 7),
    '<path d="M8 66c0-4 3-6 7-6h18v6c0 10-5 15-12 15S8 76 8 66z" fill="#d64545"/>'
    '<path d="M10 60q3-6 6-2 3-6 6-1 3-5 6 0 3-3 4 3z" fill="#f6d77a"/><path d="M22 58q6-16 '
    '0-24" stroke="#f6d77a" stroke-width="2.500" fill="none"/>',
    line("M52 88 46 92M72 86l6 6", "b", 9),
)
PINECONE_MOUSE = symbol(
    "c23",
    tones(24, 42, 40),
    ground(64, 44),
    '<path d="M104 78c18 2 16-18 6-20" fill="none" stroke="#d99a8f" stroke-width="4" stroke-linecap="round"/>',
    shape("M36 80c-2-26 16-48 38-48 20 0 36 20 36 40 0 10-14 16-38 16-24 0-35 0-36-8z"),
    '<g fill="#b98552" stroke="#5e3b1d" stroke-width="1.800">'
    '<path d="M62 34q10 2 12 12-12 2-16-6zM80 33q10 6 8 16-12-2-14-10zM46 48q12 0 16 12-12 '
    "4-18-6zM66 46q12 2 14 14-14 2-18-8zM86 46q12 4 12 16-14 0-16-10z"
    'M42 66q12-2 18 10-12 6-19-2zM64 62q12 0 16 13-14 4-19-6zM84 62q14 2 16 14-14 2-19-8z"/></g>',
    '<g fill="#b7a69c"><circle cx="16" cy="42" r="14"/><circle cx="46" cy="38" r="14"/><path '
    'd="M6 72c0-16 12-24 26-24s24 10 24 22-10 18-26 18S6 84 6 72z"/></g>'
    '<g fill="#f0b8b4"><circle cx="16" cy="42" r="8"/><circle cx="46" cy="38" r="8"/></g>',
    '<circle cx="6" cy="74" r="4.500" fill="#e86a86"/>',
    eye(20, 63, 5.5, -0.3),
    eye(38, 62, 5.5, -0.3),
    smile(19, 76, 5),
    cheeks(46, 46, 74),
    block(30, 84, 14, 8, 4, "b"),
    block(76, 84, 14, 8, 4, "b"),
)
PATCHWORK_CAT = symbol(
    "c26",
    tones(354, 40, 62),
    ground(58, 36),
    line("M78 84c26 4 34-22 22-34-6-5-12 2-7 7", "b", 9),
    shape("M32 90C28 62 38 46 56 46s30 16 26 44z"),
    '<path d="M34 68h22v22H32q-1-12 2-22z" fill="#7fa8d6"/><path d="M56 46q18 0 24 20H56z" fill="#f0cf6a"/>',
    '<path d="M56 48v42M34 67h46" stroke="#4a3a44" stroke-width="2" stroke-dasharray="4 3"/>',
    shape("M30 30 30 4l16 12h20L82 4v26c0 18-12 24-26 24S30 48 30 30z"),
    '<path d="M56 16h10L82 4v26H56z" fill="#8fbf8a"/><path d="M57 17v12M57 30h24" '
    'stroke="#4a3a44" stroke-width="2" stroke-dasharray="4 3"/>',
    '<path d="M34 12l8 6-8 8z" fill="#f6d9d4"/>',
    eyes(45, 67, 32, 6.5, 0.1),
    shape("M52 40h8l-4 4z", "k"),
    smile(56, 44, 4),
    whiskers(38, 74, 41, "k"),
    block(38, 84, 15, 8, 4, "c"),
    block(60, 84, 15, 8, 4, "c"),
)
UMBRELLA_BAT = symbol(
    "c30",
    tones(262, 26, 44),
    ground(60, 22),
    line("M60 14V84q0 8 8 8t8-8", "k", 4),
    shape("M4 54C4 24 30 8 60 8s56 16 56 46q-8-9-19 0-9-10-18 0-9-9-19 0-10-9-19 0-9-10-18 0-11-9-19 0z"),
    line("M60 10Q40 26 41 53M60 10q20 16 19 43M60 10Q26 22 23 53M60 10q34 12 37 43", "b", 2.2),
    round_(60, 8, 4, paint="k"),
    round_(60, 64, 14, 18, "b"),
    round_(60, 46, 16, 14, "b"),
    shape("M46 40 40 22l15 10zM74 40l6-18-15 10z", "b"),
    eyes(53, 67, 44, 5.5, 0.1),
    smile(60, 52, 5, "w"),
    '<path d="M56 54l2 5 2-5zM61 54l2 5 2-5z" fill="#fffdf8"/>',
    round_(60, 70, 8, 10, "c"),
)
KITE_SQUIRREL = symbol(
    "c33",
    tones(18, 52, 46),
    ground(42, 30),
    '<path d="M88 2l26 22-20 38-28-28z" fill="#f0b429"/><path d="M88 2l6 60 20-38z" '
    'fill="#d64545"/><path d="M66 34l48-10M88 2l6 60" stroke="#5a3a1a" stroke-width="2"/>',
    line("M94 62c8 10-8 16-20 18", "k", 2),
    '<path d="M92 70l10-4v9zM92 70l-9-5v9zM80 79l8 5-9 4zM80 79l-6-8-4 8z" fill="#3f6fb5"/>',
    legs(80, 11, 34, 52),
    shape("M24 68c0-16 8-24 20-24s20 8 20 24-8 20-20 20-20-4-20-20z"),
    round_(42, 72, 11, 13, "c"),
    shape("M20 16 18 0l14 8zM52 8 64 0l1 16z"),
    round_(42, 28, 23, 20),
    round_(42, 38, 12, 8, "c"),
    round_(42, 33, 3.5, 2.8, "k"),
    eyes(33, 51, 26, 5.8, 0.3),
    '<path d="M39 40h6v6h-6z" fill="#fffdf8"/>',
    cheeks(26, 58, 36),
    line("M60 58 76 48M30 60 20 68", "b", 7),
    line("M76 48 84 44", "k", 2),
)
BUCKET_WALRUS = symbol(
    "c34",
    tones(206, 18, 50),
    ground(60, 38),
    shape("M24 66C20 34 34 10 60 10s40 24 36 56z"),
    shape("M26 54 8 44q0 16 16 22zM94 54l18-10q0 16-16 22z", "b"),
    eyes(46, 74, 32, 5.5, 0.1),
    shape("M36 50q0-12 12-12 8 0 12 5 4-5 12-5 12 0 12 12 0 8-10 8-8 0-14-5-6 5-14 5-10 0-10-8z", "c"),
    round_(60, 42, 6, 4.5, "k"),
    dots("b", (44, 49, 1.6), (50, 52, 1.6), (70, 52, 1.6), (76, 49, 1.6)),
    '<path d="M22 62h76l-8 26q-2 5-8 5H38q-6 0-8-5z" fill="#c65b4a"/><path d="M18 58h84v8H18z" '
    'fill="#e07b66"/><path d="M28 76h64" stroke="#8f3a2d" stroke-width="3"/>',
    '<path d="M46 56h8l-3 22q-1 3-2 0zM66 56h8l-3 22q-1 3-2 0z" fill="#fffdf8" stroke="#c9bfae" stroke-width="1"/>',
    line("M22 64C4 72 6 88 24 84", "k", 2.5),
    dots("w", (90, 22, 3), (98, 14, 2), (28, 16, 2.5)),
)

ALL = (
    DRUM_HARE,
    SNOOZE_BEAR,
    GUST_FOX,
    TUMBLE_WEASEL,
    GRANITE_MOLE,
    JAM_BADGER,
    ICICLE_LYNX,
    NOODLE_OTTER,
    PINECONE_MOUSE,
    PATCHWORK_CAT,
    UMBRELLA_BAT,
    KITE_SQUIRREL,
    BUCKET_WALRUS,
)
