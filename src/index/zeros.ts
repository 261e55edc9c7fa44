const arrays = new Map<string, Float32Array>();

/**
 * Zeros, `length` of them, in the array that the same `use` had before, which is lost by it: as long as an index has
 * chunks, an array made anew for each search would keep the garbage collector at work.
 */
export function zeros(use: string, length: number): Float32Array {
  const former = arrays.get(use);
  if (former !== undefined && former.length >= length) return former.subarray(0, length).fill(0);
  const made = new Float32Array(length);
  arrays.set(use, made);
  return made;
}
