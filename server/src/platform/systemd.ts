// Tells systemd that the gateway is ready, alive or stopping, with the sd_notify protocol. The
// runtime has no Unix datagram sockets, so three functions of the C library are called.
import { dlopen, ptr } from 'bun:ffi';
import { every } from './every.ts';

/** The part of the environment that systemd sets for a unit with `Type=notify`. */
interface UnitEnvironment {
  [name: string]: string | undefined;
  NOTIFY_SOCKET?: string | undefined;
  /** How long systemd waits between two signs of life, in microseconds. */
  WATCHDOG_USEC?: string | undefined;
}

interface Systemd {
  /** Reports that the gateway serves. From now on, systemd kills it if its event loop stops. */
  ready: () => void;
  stopping: () => void;
}

const absent: Systemd = { ready: () => undefined, stopping: () => undefined };

/** Does nothing outside systemd. */
export function connectSystemd(env: UnitEnvironment): Systemd {
  const { NOTIFY_SOCKET: path = '', WATCHDOG_USEC: watchdogUs } = env;
  if (!/^[/@]/.test(path) || path.length > maxPathBytes) return absent;
  const send = openSocket(path);
  if (!send) return absent;
  return {
    ready: () => {
      send('READY=1');
      const limitMs = Number(watchdogUs ?? 0) / 1000;
      // Sent twice within the time that systemd waits.
      const work = () => send('WATCHDOG=1');
      if (limitMs > 0) every(limitMs / 2, { name: 'systemd_watchdog', work });
    },
    stopping: () => send('STOPPING=1'),
  };
}

const addressFamilyUnix = 1;
const datagram = 2;
const closeOnExec = 0o2000000;
const doNotWait = 0x40;
const noSignal = 0x4000;
const maxPathBytes = 107;
/** glibc, and musl for both processors that the gateway is built for. */
const libraries = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

function openSocket(path: string): ((message: string) => void) | undefined {
  const c = openLibrary();
  const socket = c?.socket(addressFamilyUnix, datagram | closeOnExec, 0) ?? -1;
  if (!c || socket < 0) return undefined;
  const address = socketAddress(path);
  return (text) => {
    const message = Buffer.from(text);
    const flags = doNotWait | noSignal;
    c.sendto(socket, ptr(message), message.length, flags, ptr(address), address.length);
  };
}

/** A path that begins with @ is in Linux's abstract namespace: its first byte is 0. */
function socketAddress(path: string): Buffer {
  const name = Buffer.from(path);
  if (path.startsWith('@')) name[0] = 0;
  const family = Buffer.alloc(2);
  family.writeUInt16LE(addressFamilyUnix);
  return Buffer.concat([family, name, Buffer.alloc(path.startsWith('@') ? 0 : 1)]);
}

function openLibrary() {
  for (const name of libraries) {
    try {
      return dlopen(name, {
        socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
        sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
      }).symbols;
    } catch {
      // Try the next library.
    }
  }
  return undefined;
}
