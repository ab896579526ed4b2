"""Ce que le compagnon dit en français, sous les mêmes codes que `en`."""
