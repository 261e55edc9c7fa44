/** Result codes and options of SQLite's C interface, under their own names (sqlite.org/rescode.html). */
export const SQLITE_OK = 0;
export const SQLITE_ERROR = 1;
export const SQLITE_NOMEM = 7;
export const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_CONSTRAINT = 19;
export const SQLITE_MISUSE = 21;
export const SQLITE_RANGE = 25;
export const SQLITE_NOTADB = 26;
export const SQLITE_ROW = 100;
export const SQLITE_DONE = 101;
/** What the in-memory file system answers when it cannot grow: an I/O error by number, memory by cause. */
export const SQLITE_IOERR_NOMEM = 3082;

export const SQLITE_INTEGER = 1;
export const SQLITE_FLOAT = 2;
export const SQLITE_TEXT = 3;
export const SQLITE_BLOB = 4;

export const SQLITE_OPEN_READWRITE = 2;
export const SQLITE_DESERIALIZE_FREEONCLOSE = 1;
export const SQLITE_DESERIALIZE_RESIZEABLE = 2;
export const SQLITE_SERIALIZE_NOCOPY = 1;
export const SQLITE_FCNTL_SIZE_LIMIT = 36;
export const SQLITE_STATUS_MEMORY_USED = 0;
export const SQLITE_TXN_WRITE = 2;
/** The bytes stay the caller's and do not move while bound. */
export const SQLITE_STATIC = 0;
