import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Where a process number means one process: a machine and, on Linux, one boot and one PID namespace of it. */
export interface ProcessSpace {
  host: string;
  /** Empty on systems that tell neither. */
  boot: string;
  namespace: string;
}

/** The space of this process; undefined when Linux hides it. Each container has a namespace of its own. */
export function processSpace(): ProcessSpace | undefined {
  const host = hostname();
  if (process.platform !== "linux") return { host, boot: "", namespace: "" };
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { host, boot, namespace: readlinkSync("/proc/self/ns/pid") };
  } catch {
    return undefined;
  }
}

/** Whether a process of our own space runs. One of another user counts: it may not be signalled, but it is there. */
export function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
