# SPDX-License-Identifier: MIT
"""Objects that a program closes, by close() or by `with`."""


class Closing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Owned(Closing):
    """Owns one object of the library, `_object`; None once it is closed."""

    _object = None

    @property
    def object(self):
        return self._object

    def close(self):
        if self._object:
            self._object.Release()
            self._object = None
