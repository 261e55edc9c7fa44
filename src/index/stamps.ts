/** How a file looked when it was indexed. Times are milliseconds since 1970. */
export interface Stamp {
  size: number;
  mtime: number;
  /** Change time of the inode; 0 where a disk has none. */
  ctime: number;
  indexedAt: number;
}

/** By path. */
export type Stamps = Map<string, Stamp>;

type Row = [path: string, size: number, mtime: number, ctime: number, indexedAt: number];

/** As they are saved beside the index. */
export function packStamps(stamps: Stamps): Buffer {
  const rows = Array.from(
    stamps,
    ([path, { size, mtime, ctime, indexedAt }]): Row => [path, size, mtime, ctime, indexedAt],
  );
  return Buffer.from(JSON.stringify(rows));
}

export function unpackStamps(packed: Uint8Array): Stamps {
  const rows = JSON.parse(Buffer.from(packed).toString()) as Row[];
  return new Map(
    rows.map(([path, size, mtime, ctime, indexedAt]) => [path, { size, mtime, ctime, indexedAt }]),
  );
}
