"""The kit to make at home: mats, pieces, cards and booklets to print, plans to cut, solids to turn.

Everything is drawn once as a `Part` (`parts.py`) or a mat (`mats.py`), laid on pages (`sheets.py`), and set as a PDF
(`typesetting.py`) or written as a cut plan (`cutting.py`). The room is imported only where it is used.
"""
