"""Creatures with skin, scales and wings. Pure."""

from __future__ import annotations

from games.titles.power_cards.art.kit import (
    asleep,
    block,
    cheeks,
    dots,
    eyes,
    ground,
    legs,
    line,
    round_,
    shape,
    smile,
    symbol,
    tones,
)

MOSSBACK = symbol(
    "c01",
    tones(96, 36, 40),
    ground(wide=50),
    legs(76, 14, 30, 50, 72, 92),
    shape("M106 70q10-2 12 8-8 4-16 0z", "b"),
    shape("M14 80C10 50 30 30 62 30s48 24 46 50q-46 8-94 0z"),
    shape(
        "M24 44q-6-10 4-15 2-12 14-9 6-12 18-5 10-9 19 1 12-2 14 9 11 3 9 14-8 12-16 5-8 9-16 2-9 "
        "8-17 0-8 7-15 0-9 6-14-2z",
        "c",
    ),
    line("M62 20V6", "b", 2.5),
    shape("M62 8q-12 2-14-7 12-3 14 7zM62 11q2-10 13-8 0 10-13 8z", "b"),
    round_(26, 68, 19, 17),
    asleep(20, 64, 4.5),
    asleep(35, 64, 4.5),
    smile(27, 73, 5),
    dots("b", (60, 60, 4), (76, 66, 5), (90, 58, 3)),
)
PUDDLE_NEWT = symbol(
    "c03",
    tones(172, 46, 42),
    '<path d="M6 84c0-10 22-9 34-11s34-3 48 1 26 6 26 12-26 10-54 10S6 94 6 84z" fill="#6db9de"/>',
    '<path d="M18 85q12-4 22-3M84 90q12 0 18-4" fill="none" stroke="#fffdf8" stroke-width="2" stroke-linecap="round"/>',
    line("M88 66c22 0 22-26 8-28-10 0-9 12-1 11", "a", 9),
    line("M40 70 30 86M50 74l-2 13M76 72l4 14M86 68l12 12", "b", 7),
    shape("M36 62c4-12 20-14 36-12 18 2 24 8 24 14 0 10-16 12-32 12-18 0-32-4-28-14z"),
    shape("M60 50l4-10 5 9 5-8 4 10z", "b"),
    round_(30, 54, 22, 17),
    round_(20, 38, 8),
    round_(40, 38, 8),
    eyes(20, 40, 37, 6, -0.2),
    line("M14 58q16 10 32 0", "k", 2.2),
    cheeks(14, 46, 54),
    dots("c", (62, 60, 4), (76, 60, 3), (86, 66, 3), (68, 69, 3)),
)
LANTERN_MOTH = symbol(
    "c09",
    tones(274, 32, 62),
    ground(60, 30),
    shape("M56 50C40 14 8 16 6 36c0 20 26 28 50 20zM64 50c16-36 48-34 50-14 0 20-26 28-50 20z"),
    shape("M56 56c-20 0-38 10-31 24s28 0 33-18zM64 56c20 0 38 10 31 24s-28 0-33-18z", "b"),
    dots("c", (28, 36, 8), (92, 36, 8)),
    dots("b", (28, 36, 3.5), (92, 36, 3.5)),
    '<ellipse cx="60" cy="74" rx="9" ry="12" fill="#ffd54a"/><path d="M52 70h16M52 77h16" '
    'stroke="#c98a12" stroke-width="2"/>',
    '<ellipse cx="60" cy="52" rx="8" ry="18" fill="#5a4632"/><circle cx="60" cy="34" r="12" fill="#5a4632"/>',
    '<path d="M56 25c-4-9-10-14-17-14M64 25c4-9 10-14 17-14" stroke="#5a4632" '
    'stroke-width="2.500" fill="none" stroke-linecap="round"/>',
    dots("b", (39, 11, 3), (81, 11, 3)),
    eyes(55, 65, 33, 5, 0.15),
    smile(60, 41, 3, "w"),
)
WINDMILL_FROG = symbol(
    "c15",
    tones(128, 40, 44),
    ground(wide=46),
    '<path d="M60 44V22" stroke="#8a5a2c" stroke-width="5"/>',
    '<g fill="#fff3d6" stroke="#8a5a2c" stroke-width="2" stroke-linejoin="round"><path d="M60 20 78 2l8 8-18 14z"/>'
    '<path d="M60 20l20 18-8 8-16-18z"/><path d="M60 20 42 38l-8-8 18-14z"/><path d="M60 20 40 '
    '2l8-8 16 18z" transform="translate(0 8)"/></g>',
    '<circle cx="60" cy="20" r="4" fill="#8a5a2c"/>',
    shape("M20 90C2 86 6 62 24 62l14 18zM100 90c18-4 14-28-4-28L82 80z", "b"),
    shape("M24 74c0-22 14-32 36-32s36 10 36 32c0 12-14 16-36 16s-36-4-36-16z"),
    round_(42, 46, 11),
    round_(78, 46, 11),
    round_(60, 80, 24, 11, "c"),
    eyes(42, 78, 45, 7.5, 0.2),
    line("M34 64q26 14 52 0", "k", 2.5),
    cheeks(34, 86, 70, 4),
    block(38, 86, 16, 7, 3.5, "b"),
    block(66, 86, 16, 7, 3.5, "b"),
)
WHISTLING_TOAD = symbol(
    "c19",
    tones(70, 34, 42),
    ground(58, 50),
    shape("M10 90q-8-14 6-22l16 22zM104 90q8-14-6-22L82 90z", "b"),
    shape("M8 72c0-20 22-28 50-28s50 8 50 28c0 14-22 20-50 20S8 86 8 72z"),
    '<g fill="#f2d9a0"><circle cx="24" cy="70" r="17"/><circle cx="92" cy="70" r="17"/></g>',
    round_(36, 42, 11),
    round_(80, 42, 11),
    eyes(36, 80, 41, 7, 0.1),
    round_(58, 74, 6.5, paint="k"),
    round_(58, 74, 3, paint="b"),
    dots("b", (50, 54, 3), (66, 52, 3.5), (58, 61, 2.5), (46, 86, 3), (72, 87, 3)),
    line("M96 34V14l14-4v18", "k", 3),
    '<g fill="#20242c"><ellipse cx="92" cy="35" rx="5" ry="3.800"/><ellipse cx="106" cy="29" rx="5" ry="3.800"/></g>',
    line("M20 30V16q6 0 7 6", "k", 2.5),
    round_(17, 31, 4, 3, "k"),
)
CINDER_NEWTLING = symbol(
    "c20",
    tones(6, 58, 50),
    ground(54, 34),
    line("M66 80c20 4 30-8 28-24", "a", 11),
    '<path d="M94 60C78 50 82 34 88 28c1 6 4 7 6 5-2-10 2-19 8-25-1 12 14 18 12 34-1 10-10 18-20 18z" fill="#f5a524"/>'
    '<path d="M97 56c-8-4-8-13-3-19 1 5 4 5 5 1 6 6 8 16-2 18z" fill="#fff1b8"/>',
    legs(78, 11, 40, 60),
    shape("M34 66c0-16 6-24 17-24s17 8 17 24-6 22-17 22-17-6-17-22z"),
    round_(50, 70, 10, 14, "c"),
    line("M36 62 24 70M66 62l10 8", "b", 6),
    round_(48, 32, 24, 19),
    shape("M32 18l4-14 8 10 6-12 7 12 9-7 2 13z", "b"),
    eyes(38, 57, 30, 6.5, -0.2),
    line("M36 43q12 7 24 0", "k", 2.2),
    cheeks(32, 63, 39),
)
RIBBON_EEL = symbol(
    "c22",
    tones(208, 64, 48),
    ground(64, 44),
    line("M30 30c32-24 64 4 34 22S20 76 52 86s44-4 58-20", "b", 17),
    line("M30 30c32-24 64 4 34 22S20 76 52 86s44-4 58-20", "a", 12),
    '<path d="M46 20c22-4 38 10 18 24S24 68 46 82" fill="none" stroke="#f6d04d" stroke-width="3" '
    'stroke-dasharray="7 6"/>',
    shape("M100 74q4-20 18-24 2 16-10 30z", "b"),
    round_(28, 32, 17, 14),
    shape("M14 34 2 30l10 10zM14 38l-8 8 13-3z", "c"),
    eyes(22, 35, 28, 5.5, -0.3),
    smile(26, 38, 6),
    '<g fill="#e25577"><path d="M38 16 24 6v16zM38 16 52 4v18z"/><circle cx="38" cy="15" r="4.500"/></g>',
)
SNEEZE_DRAGON = symbol(
    "c27",
    tones(150, 36, 46),
    ground(70, 40),
    line("M88 82c24 4 28-16 22-28", "a", 9),
    shape("M104 56l7-14 8 13z", "b"),
    shape("M74 46C76 24 92 12 114 10c-4 8-4 14-2 20-7-2-10 2-10 8-8-4-12 0-12 8z", "c"),
    legs(76, 13, 60, 86),
    shape("M52 72c-2-20 8-32 24-32s22 14 20 30c-2 14-10 18-22 18s-20-4-22-16z"),
    shape("M56 74c0-10 4-17 10-20 6 8 8 20 4 32-8 0-14-4-14-12z", "c"),
    shape("M40 22C56 10 76 18 76 34c0 10-8 14-18 15H34c-10 0-14-6-11-12 2-6 8-9 17-15z"),
    shape("M60 18l2-14 8 11zM70 22l10-10 1 15z", "b"),
    asleep(48, 30, 5),
    line("M44 24l8-2", "k", 2),
    dots("b", (29, 38, 2.2), (35, 36, 2.2)),
    '<g fill="#f5a524"><path d="M24 44 4 34l6 10L0 48l10 3-6 9 20-9z"/></g><path d="M24 46l-11-3 '
    '3 4-3 4z" fill="#fff1b8"/>',
    '<g fill="#9fd3ea"><circle cx="10" cy="24" r="3"/><circle cx="3" cy="70" r="2.500"/><circle '
    'cx="18" cy="66" r="2"/></g>',
)
GIGGLE_IMP = symbol(
    "c37",
    tones(350, 56, 52),
    ground(58, 32),
    line("M84 76c20 6 30-6 22-20", "b", 4),
    shape("M106 40l11 17-20 2z", "b"),
    legs(80, 13, 44, 72),
    shape("M30 26C16 22 14 8 20 1c2 10 10 12 22 15zM86 26c14-4 16-18 10-25-2 10-10 12-22 15z", "b"),
    shape("M22 54c0-24 14-36 36-36s36 12 36 36-14 34-36 34-36-10-36-34z"),
    shape("M22 50 8 44q-2 14 14 18zM94 50l14-6q2 14-14 18z"),
    line("M28 68 16 78M88 68l10 6", "b", 6),
    line("M38 42l7-5 7 5M64 42l7-5 7 5", "k", 3),
    '<path d="M34 54h48c0 16-10 24-24 24S34 70 34 54z" fill="#20242c"/><path d="M37 54h42v6H37z" fill="#fffdf8"/>'
    '<path d="M46 72q12-10 24 0-12 9-24 0z" fill="#f48a9c"/>',
    cheeks(32, 84, 50, 4),
)

ALL = (
    MOSSBACK,
    PUDDLE_NEWT,
    LANTERN_MOTH,
    WINDMILL_FROG,
    WHISTLING_TOAD,
    CINDER_NEWTLING,
    RIBBON_EEL,
    SNEEZE_DRAGON,
    GIGGLE_IMP,
)
