import type { Duplex } from 'node:stream';

/** Answers a request on its bare connection, where no library does, and ends that. */
export function refuseSocket(socket: Duplex, status: number, type: string, message: string): void {
  const body = JSON.stringify({ ok: false, error: { type, message } });
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${String(status)} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  );
}
