import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { attempt, errorCode } from "./fs-errors.ts";

/** In which a process number means one process: a machine and, on Linux, one boot and one PID namespace of it. */
export interface ProcessSpace {
  host: string;
  /** Empty on other systems, as is `namespace`. */
  boot: string;
  namespace: string;
}

/** The space of this process; undefined when Linux hides it. Each container has a namespace of its own. */
export function processSpace(): ProcessSpace | undefined {
  const host = hostname();
  if (process.platform !== "linux") return { host, boot: "", namespace: "" };
  return attempt(() => {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { host, boot, namespace: readlinkSync("/proc/self/ns/pid") };
  });
}

/** Whether a process of our own space runs, also of another user, which we may not signal. */
export function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
