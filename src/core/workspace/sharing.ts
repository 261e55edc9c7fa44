export interface SharingState {
  /** In words, without a final period. */
  text: string;
  /** The last time that it worked, ISO 8601; null if it never did. */
  synced: string | null;
  /** Files that the other machines do not have yet. */
  unsent: number;
  /** Why the last attempt failed, as the end of a sentence. */
  problem?: string | undefined;
  /** Notes that were changed in two places, and the changes that bring back what gave way. */
  kept: readonly { path: string; change?: string | undefined }[];
}

/** Exchanges notes with other machines, if they are synced. */
export interface Sharing {
  /** Whether the notes of a project are synced by themselves. */
  covers(project: string): boolean;
  /** Exchanges the notes of a project now. Returns why it failed, as the end of a sentence; null if it did not. */
  exchange(project: string): Promise<string | null>;
  /** Whether the newest change of a document that all machines know was made on this one. */
  isOwn(project: string, path: string): Promise<boolean>;
  /** How far the notes of a project, or any, are in step with other machines; undefined if they are not synced. */
  state(project?: string): SharingState | undefined;
  close(): Promise<void>;
}
