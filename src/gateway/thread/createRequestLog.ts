import type { GatewayRequest } from '../gateway.ts';

/** How often the log is handed on, and how much of it. */
const everyMs = 200;
const maxKept = 100;

/** Hands on what was answered, a few times in a second however much that is: only the newest are shown. */
export function createRequestLog(deliver: (requests: readonly GatewayRequest[]) => void): {
  add(request: GatewayRequest): void;
  flush(): void;
} {
  let waiting: GatewayRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) deliver(waiting);
    waiting = [];
  };
  return {
    add(request) {
      waiting.push(request);
      if (waiting.length > maxKept) waiting.shift();
      timer ??= setTimeout(flush, everyMs);
    },
    flush,
  };
}
