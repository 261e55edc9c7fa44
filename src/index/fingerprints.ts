/** How a file looked when it was indexed. Times are milliseconds since 1970. */
export interface FileFingerprint {
  size: number;
  mtime: number;
  /** Change time of the inode; 0 on a disk that has none. */
  ctime: number;
  indexedAt: number;
}

/** By path. */
export type FileFingerprints = Map<string, FileFingerprint>;
