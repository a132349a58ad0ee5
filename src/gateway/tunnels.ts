import { Duplex } from 'node:stream';

/** One step of a byte stream between two threads. `id` is chosen by the side that opens the stream. */
export type TunnelFrame =
  /** `isKnown`: the request came with the token. */
  | { readonly do: 'open'; readonly id: number; readonly isKnown: boolean }
  | { readonly do: 'data'; readonly id: number; readonly bytes: Uint8Array }
  /** The bytes are taken: the next may come. */
  | { readonly do: 'taken'; readonly id: number }
  | { readonly do: 'end'; readonly id: number }
  | { readonly do: 'reset'; readonly id: number };

/** One end of a stream. It counts as sockets do: whether anything was answered yet shows in it. */
export type TunnelStream = Duplex & { bytesWritten: number };

/** Byte streams over messages, so that an HTTP request of one thread can be answered by another. */
export interface Tunnels {
  /** A new stream to the other side. */
  open(isKnown: boolean): TunnelStream;
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
}

/** `onOpen` gets the streams that the other side opens. At most one chunk of each direction is on its way: who reads slowly slows the writer. */
export function createTunnels(
  post: (frame: TunnelFrame) => void,
  onOpen: (stream: TunnelStream, isKnown: boolean) => void = (stream) => stream.destroy(),
): Tunnels {
  const ends = new Map<number, TunnelEnd>();
  let last = 0;

  const make = (id: number): TunnelStream => {
    const duplex = new Duplex({
      read() {
        if (!end.owes) return;
        end.owes = false;
        post({ do: 'taken', id });
      },
      write(chunk: Uint8Array, _encoding, done) {
        end.taken = done;
        stream.bytesWritten += chunk.length;
        post({ do: 'data', id, bytes: new Uint8Array(chunk) });
      },
      final(done) {
        post({ do: 'end', id });
        done();
      },
      destroy(error, done) {
        if (ends.delete(id)) post({ do: 'reset', id });
        done(error);
      },
    });
    const stream = Object.assign(duplex, { bytesWritten: 0 });
    const end: TunnelEnd = { stream, owes: false, taken: undefined };
    ends.set(id, end);
    return stream;
  };

  const steps: Readonly<Record<'taken' | 'end' | 'reset', (end: TunnelEnd) => void>> = {
    taken(end) {
      const done = end.taken;
      end.taken = undefined;
      done?.();
    },
    end: ({ stream }) => void stream.push(null),
    reset: ({ stream }) => void stream.destroy(),
  };
  return {
    open(isKnown) {
      last += 1;
      post({ do: 'open', id: last, isKnown });
      return make(last);
    },
    receive(frame) {
      if (frame.do === 'open') {
        onOpen(make(frame.id), frame.isKnown);
        return;
      }
      const end = ends.get(frame.id);
      if (end === undefined) return;
      if (frame.do !== 'data') steps[frame.do](end);
      else if (end.stream.push(frame.bytes)) post({ do: 'taken', id: frame.id });
      else end.owes = true;
    },
    close() {
      for (const { stream } of [...ends.values()]) stream.destroy();
    },
  };
}
