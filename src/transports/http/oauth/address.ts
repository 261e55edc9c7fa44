import { BlockList, isIPv4 } from "node:net";

/** Networks that are nobody's on the open internet (IANA's special-purpose registries). */
const PRIVATE_V4: readonly [net: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Of the one network that is public: tunnels, which lead to any IPv4 address, and examples. */
const PRIVATE_V6: readonly [net: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Whether an address in figures is on the open internet. */
export function isPublicAddress(address: string): boolean {
  const [blocked, open] = [new BlockList(), new BlockList()];
  open.addSubnet("2000::", 3, "ipv6");
  for (const [net, prefix] of PRIVATE_V4) blocked.addSubnet(net, prefix, "ipv4");
  for (const [net, prefix] of PRIVATE_V6) blocked.addSubnet(net, prefix, "ipv6");
  if (isIPv4(address)) return !blocked.check(address, "ipv4");
  return open.check(address, "ipv6") && !blocked.check(address, "ipv6");
}
