"""Networks in files: ``read_network``, ``write_network``, and ``read_evidence`` for findings. One file format a file.

The suffix says the format, and each may be gzipped (``alarm.bif.gz``):

======================  ===============================  =====  =======
suffix                  format                           read   written
======================  ===============================  =====  =======
``.bif``                BIF, the interchange format      yes    yes
``.xml``, ``.xmlbif``   XMLBIF 0.3                       yes    yes
``.bifxml``             aGrUM's BIFXML                   yes    yes
``.uai``                the UAI competitions             yes    yes
``.net``                Hugin                            yes    no
``.dsl``, ``.xdsl``     GeNIe                            yes    no
``.json``               Credo's own, holds any network   yes    yes
======================  ===============================  =====  =======

Rows of probabilities that sum to one only nearly (to 0.01) are normalised, and a `CredoWarning` says once how many and
how far off. Anything else that is wrong is a `FormatError` with the file, the line and, where it is known, the column.
Files from strangers are safe to open: what a file claims is checked against what it holds before memory is taken, gzip
bombs, XML entities and deep nesting are refused, and a table that would outgrow the memory is `TooLarge`.
"""

from __future__ import annotations

from credo.networks.formats.reading import read_evidence, read_network
from credo.networks.formats.writing import write_network

__all__ = ["read_evidence", "read_network", "write_network"]
