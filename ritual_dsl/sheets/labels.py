"""The words a sheet itself needs, by language; English stands in for languages without."""

from __future__ import annotations

from types import MappingProxyType

ENGLISH = {
    "contents": "Contents",
    "players": "Players",
    "modules": "Chosen modules",
    "no_modules": "None: the game as its rulebook has it.",
    "variant": "variant",
    "ruling": "ruling",
    "house": "house rule",
    "erratum": "erratum",
    "swapped": "card swapped in",
    "sections": "Rules",
    "in_rules": "In the rules language",
    "see": "See also",
    "other": "Declarations and rules that cite no section",
    "cards": "Cards",
    "copies": "Copies",
    "slot": "Slot",
    "alternate": "alternate, not in the deck",
    "changed": "changed by",
    "rules": "Rules of this card",
    "rulings": "Rulings",
    "question": "Question",
    "options": "Options",
    "chosen": "chosen",
    "default": "default",
    "why": "Why",
    "errata": "Errata",
    "edition": "Edition",
    "printed": "Printed",
    "meant": "Meant",
    "missing": "not translated",
    "notice": "Unofficial: this sheet is neither made nor endorsed by the authors or publishers of the game.",
    "version": "Version of the game",
    "language": "Version of the rules language",
    "fingerprint": "Fingerprint",
}

JAPANESE = {
    "contents": "目次",
    "players": "人数",
    "modules": "選んだモジュール",
    "no_modules": "なし（ルールブックどおり）",
    "variant": "バリアント",
    "ruling": "裁定",
    "house": "ハウスルール",
    "erratum": "正誤",
    "swapped": "差し替えたカード",
    "sections": "ルール",
    "in_rules": "ルール記述",
    "see": "関連",
    "other": "節を引用しない宣言とルール",
    "cards": "カード",
    "copies": "枚数",
    "slot": "枠",
    "alternate": "差し替え用（山札に入らない）",
    "changed": "変更元",
    "rules": "このカードのルール記述",
    "rulings": "裁定",
    "question": "質問",
    "options": "選択肢",
    "chosen": "採用",
    "default": "標準",
    "why": "理由",
    "errata": "正誤表",
    "edition": "版",
    "printed": "記載",
    "meant": "正しい意味",
    "missing": "未訳",
    "notice": "非公式：この資料は、ゲームの作者や発行元が作成または承認したものではありません。",
    "version": "ゲームのバージョン",
    "language": "ルール言語のバージョン",
    "fingerprint": "フィンガープリント",
}

LABELS = MappingProxyType({"en": ENGLISH, "ja": JAPANESE})


def labels(lang: str) -> dict[str, str]:
    return LABELS.get(lang.partition("-")[0].lower(), ENGLISH)
