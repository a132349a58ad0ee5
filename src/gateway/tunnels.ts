import { Duplex } from 'node:stream';

/** Who asks, by the token of the request: the gateway's own, that of MCP clients, or none that counts. */
export type Caller = 'owner' | 'mcp' | 'unknown';

/** One step of a byte stream between two threads. `id` is chosen by the side that opens the stream. */
export type TunnelFrame =
  | { readonly do: 'open'; readonly id: number; readonly caller: Caller }
  | { readonly do: 'data'; readonly id: number; readonly bytes: Uint8Array }
  /** The bytes are taken: the next may come. */
  | { readonly do: 'taken'; readonly id: number }
  | { readonly do: 'end'; readonly id: number }
  | { readonly do: 'reset'; readonly id: number };

/**
 * One end of a stream. Who gets it may take it for a socket: plugins log where a request comes from, set times and delays, and look at how
 * much was written.
 */
export class TunnelStream extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  bytesWritten = 0;
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  /** Node's HTTP server ends it once more, and each time an error was made of that which nobody gets. */
  override end(...given: readonly unknown[]): this {
    if (given.length === 0 && this.writableEnded) return this;
    return super.end(...(given as []));
  }
}

/** Byte streams over messages, so that an HTTP request of one thread can be answered by another. */
interface Tunnels {
  /** A new stream to the other side. */
  open(caller: Caller): TunnelStream;
  /** What came from the other side. Frames of streams that are gone are nothing. */
  receive(frame: TunnelFrame): void;
  /** Breaks every stream. */
  close(): void;
}

interface TunnelEnd {
  readonly stream: TunnelStream;
  /** The other side waits to be told that its bytes are taken. */
  owes: boolean;
  /** Called once the other side has taken what was written last. */
  taken: (() => void) | undefined;
  /** This side has said that nothing more comes, and the other one has. */
  hasEnded: boolean;
  isEnded: boolean;
}

/** `onOpen` gets the streams that the other side opens. At most one chunk of each direction is on its way: who reads slowly slows the writer. */
export function createTunnels(
  post: (frame: TunnelFrame) => void,
  onOpen: (stream: TunnelStream, caller: Caller) => void = (stream) => stream.destroy(),
): Tunnels {
  const ends = new Map<number, TunnelEnd>();
  let last = 0;

  const make = (id: number): TunnelStream => {
    const send = (bytes: Uint8Array<ArrayBuffer>, done: () => void): void => {
      end.taken = done;
      stream.bytesWritten += bytes.length;
      post({ do: 'data', id, bytes });
    };
    const stream = new TunnelStream({
      read() {
        if (!end.owes) return;
        end.owes = false;
        post({ do: 'taken', id });
      },
      write: (chunk: Uint8Array, _encoding, done) => send(new Uint8Array(chunk), done),
      // Head and body of an answer are one message.
      writev: (chunks, done) =>
        send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))), done),
      final(done) {
        end.hasEnded = true;
        post({ do: 'end', id });
        done();
      },
      destroy(error, done) {
        // Where both have ended, the other side knows.
        if (ends.delete(id) && !(end.hasEnded && end.isEnded)) post({ do: 'reset', id });
        done(error);
      },
    });
    const end: TunnelEnd = { stream, owes: false, taken: undefined, hasEnded: false, isEnded: false };
    ends.set(id, end);
    return stream;
  };

  const steps: Readonly<Record<'taken' | 'end' | 'reset', (end: TunnelEnd) => void>> = {
    taken(end) {
      const done = end.taken;
      end.taken = undefined;
      done?.();
    },
    end(end) {
      end.isEnded = true;
      end.stream.push(null);
    },
    reset: ({ stream }) => void stream.destroy(),
  };
  return {
    open(caller) {
      last += 1;
      post({ do: 'open', id: last, caller });
      return make(last);
    },
    receive(frame) {
      if (frame.do === 'open') {
        onOpen(make(frame.id), frame.caller);
        return;
      }
      const end = ends.get(frame.id);
      if (end === undefined) return;
      if (frame.do !== 'data') {
        steps[frame.do](end);
        return;
      }
      const { stream } = end;
      end.owes = stream.readableLength + frame.bytes.length >= stream.readableHighWaterMark;
      // Before whoever reads it answers: a request of which nobody knows that it was taken leaves its connection useless.
      if (!end.owes) post({ do: 'taken', id: frame.id });
      stream.push(frame.bytes);
    },
    close() {
      for (const { stream } of [...ends.values()]) stream.destroy();
    },
  };
}
