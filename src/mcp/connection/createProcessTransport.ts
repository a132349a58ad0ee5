// Threat: a server writes a line that never ends, or lines without end, or what is no message; it has itself answered without end; it writes
// terminal sequences into what people read; it goes on when nobody needs it, or leaves children behind. So a line has a limit, and so have
// lines between two requests of ours: an answer of ours begins no new count. The end takes the whole process group with it.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Clock } from '../../host/ports.ts';
import type { RunningServer } from '../startSandboxed.ts';

interface ProcessTransportDeps {
  readonly clock: Clock;
  /** Gets what the server writes to its standard error, and what it writes that is no message; as it came. */
  readonly log: (text: string) => void;
}

/** Bytes of one message. */
const maxMessageBytes = 10_000_000;
/** Lines that may come without a request of ours between them, whatever is in them; a long one counts for each `charsOfLine`. */
const maxUnasked = 5_000;
const charsOfLine = 20_000;
/** A program that logs a line now and then floods nobody. */
const forgivenPerSecond = 20;
/** Bytes of standard error that are read at once and for each second: more would keep the window busy for a log that holds 200 lines. */
const maxErrorBytes = 500_000;
const errorBytesPerSecond = 50_000;
const gracePeriodMs = 1_500;

/** The messages of a server that runs: one JSON object a line. It looks like standard input and output to the library. */
export function createProcessTransport(
  running: RunningServer,
  { clock, log }: ProcessTransportDeps,
): Transport & { readonly pid: number; readonly stderr: null } {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  let unasked = 0;
  let countedAt = clock.monotonic();
  let errorBytes = 0;
  let errorsAt = clock.monotonic();
  let isLeftOut = false;
  let isClosed = false;
  let isGivenUp = false;

  let delivered: Promise<void> = Promise.resolve();
  // One after the other: the library takes up a notification a moment later than an answer, and the progress of a call whose answer came
  // with it would belong to no call any more.
  const deliver = (message: JSONRPCMessage): void => {
    delivered = delivered.then(() => (isGivenUp ? undefined : transport.onmessage?.(message)));
  };
  const fail = (error: PincerError): void => {
    isGivenUp = true;
    transport.onerror?.(error);
    void transport.close();
  };
  const take = (line: string): void => {
    const now = clock.monotonic();
    const forgiven = (Math.max(0, now - countedAt) / 1_000) * forgivenPerSecond;
    unasked = Math.max(0, unasked - forgiven) + 1 + Math.floor(line.length / charsOfLine);
    countedAt = now;
    if (unasked > maxUnasked) {
      fail(tooMuch('it sent more than 5000 messages, or 100 million characters, that nobody asked for'));
      return;
    }
    if (line.trim() === '') return;
    const message = parseJson(line);
    if (!isRecord(message) || message['jsonrpc'] !== '2.0') {
      log(line.slice(0, 500));
      return;
    }
    deliver(message as unknown as JSONRPCMessage);
  };
  const readErrors = (bytes: Uint8Array): void => {
    const now = clock.monotonic();
    errorBytes = Math.max(0, errorBytes - (Math.max(0, now - errorsAt) / 1_000) * errorBytesPerSecond);
    errorsAt = now;
    const isTooMuch = errorBytes + bytes.length > maxErrorBytes;
    if (!isTooMuch) {
      errorBytes += bytes.length;
      log(new TextDecoder().decode(bytes));
    } else if (!isLeftOut) log('Some of what it wrote to its standard error was left out.');
    isLeftOut = isTooMuch;
  };
  const read = (text: string): void => {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      take([...pieces, line].join(''));
      pieces = [];
      length = 0;
      if (isClosed) return;
    }
    pieces.push(last);
    length += last.length;
    if (length > maxMessageBytes)
      fail(tooMuch(`it sent a message of more than ${maxMessageBytes} characters`));
  };

  const transport: Transport & { readonly pid: number; readonly stderr: null } = {
    // The library takes what has both for standard input and output, which may be silent until it is asked in the older way.
    pid: running.pid,
    stderr: null,
    start() {
      running.onOutput((stream, bytes) => {
        if (isClosed) return;
        if (stream === 'stderr') readErrors(bytes);
        else read(decoder.decode(bytes, { stream: true }));
      });
      void running.exit.then(() => {
        isClosed = true;
        transport.onclose?.();
      });
      return Promise.resolve();
    },
    async send(message) {
      // Who asked much is told nothing more, and what can't be sent fills no log.
      if (isGivenUp) return;
      if ('method' in message && 'id' in message) unasked = 0;
      await running.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    },
    async close() {
      isClosed = true;
      pieces = [];
      running.endInput();
      const stops = [
        clock.after(gracePeriodMs, () => running.kill('SIGTERM')),
        clock.after(gracePeriodMs * 2, () => running.kill('SIGKILL')),
      ];
      await running.exit;
      for (const stop of stops) stop();
    },
  };
  return transport;
}

function tooMuch(what: string): PincerError {
  return new PincerError('mcp_flooded', `The server was ended: ${what}.`, {
    hint: 'This is a fault of the server.',
  });
}
