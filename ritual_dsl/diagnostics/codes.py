from dataclasses import dataclass
@dataclass(frozen=True)
class Code:
    severity: str="error"
from collections import defaultdict
CODES=defaultdict(Code)
