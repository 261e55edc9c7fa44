/**
 * The part of the WebAssembly API in use. TypeScript ships these types with the DOM library only, and
 * with that library every browser global would look available.
 */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Throws a RangeError past the maximum; detaches the former buffer. */
  grow(pages: number): number;
}

export type WasmFunction = (...args: (number | bigint)[]) => number | bigint | undefined;

export type WasmImports = Record<string, Record<string, WasmFunction | WasmMemory>>;

export interface WasmInstance {
  readonly exports: Record<string, unknown>;
}

export interface WebAssemblyApi {
  readonly Module: {
    imports(module: WasmModule): { module: string; name: string; kind: string }[];
  };
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: WasmImports): Promise<WasmInstance>;
}
