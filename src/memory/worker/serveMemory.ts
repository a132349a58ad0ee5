import type { MemoryEngine } from '../engine/createMemoryEngine.ts';
import type { MemoryEvent } from '../engine/engineParts.ts';
import {
  toPosted,
  type EngineRequest,
  type FromThread,
  type ThreadChannel,
  type ThreadIdentity,
  type ToThread,
} from './protocol.ts';

/** Builds the engine once the other side has said where its index lies. */
export type StartEngine = (identity: ThreadIdentity, emit: (event: MemoryEvent) => void) => MemoryEngine;

/** The thread's end: carries out what is asked, each call on its own, and tells what happens. */
export function serveMemory(channel: ThreadChannel, startEngine: StartEngine): void {
  const running = new Map<number, AbortController>();
  let engine: MemoryEngine | undefined;
  const post = (message: FromThread): void => channel.post(message);

  const answer = async (request: EngineRequest): Promise<void> => {
    const controller = new AbortController();
    running.set(request.id, controller);
    try {
      if (engine === undefined) throw new Error('The thread was asked before it was opened.');
      post({ kind: 'result', id: request.id, value: await carryOut(engine, request, controller.signal) });
    } catch (error) {
      post({ kind: 'error', id: request.id, error: toPosted(error) });
    } finally {
      running.delete(request.id);
    }
  };

  channel.onMessage((message) => {
    // Both ends are of one build.
    const asked = message as ToThread;
    if (asked.kind === 'open') {
      engine = startEngine(asked, (event) => post({ kind: 'event', event }));
    } else if (asked.kind === 'cancel') running.get(asked.id)?.abort();
    else void answer(asked);
  });
}

function carryOut(engine: MemoryEngine, request: EngineRequest, signal: AbortSignal): Promise<unknown> {
  switch (request.method) {
    case 'configure':
      return engine.configure(...request.params);
    case 'search':
      return engine.search(...request.params, signal);
    case 'status':
      return engine.status();
    case 'files':
      return engine.files();
    case 'find':
      return engine.find(...request.params);
    case 'readSession':
      return engine.readSession(...request.params);
    case 'sync':
      return engine.sync(...request.params, signal);
    case 'cancel':
      return engine.cancel();
    case 'changed':
      return engine.changed(...request.params);
    case 'changedBroadly':
      return engine.changedBroadly();
    case 'turnBegins':
      return engine.turnBegins();
    case 'forget':
      return engine.forget(...request.params);
    case 'remember':
      return engine.remember(...request.params);
    case 'close':
      return engine.close();
  }
}
