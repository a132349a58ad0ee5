import type { ExecuteEffect, NetworkEffect, PrepareContext, RunContext } from '../../src/contracts/tool.ts';

/** A call as the pipeline would name it. */
export function testCall(signal = new AbortController().signal): PrepareContext {
  return { toolCallId: 'call-1', sessionKey: 'main', sessionId: 's1', runId: 'run-1', signal };
}

/** What a prepared call runs with when a person has accepted everything. */
export function testRun(signal = new AbortController().signal): RunContext {
  return { signal, onUpdate: () => undefined, rejected: new Map(), consent: 'person' };
}

/** A command that the allow list does not cover. */
export function executes(command: string, parts: Partial<ExecuteEffect> = {}): ExecuteEffect {
  const reason = 'not on the allow list';
  return { kind: 'execute', command, workdir: '/w', host: 'local', verdict: 'ask', reason, ...parts };
}

/** A connection to a host that nobody has allowed. */
export function connects(host: string, parts: Partial<NetworkEffect> = {}): NetworkEffect {
  return { kind: 'network', host, url: `https://${host}/`, isAllowed: false, isTainted: false, ...parts };
}
