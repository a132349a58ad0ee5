// Loads the protocol's library: imported with `import()` only, when the first server starts.
import {
  Client,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type RequestOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { PincerError, errorMessage } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import { isRecord, jsonSize, parseJson } from '../../base/json.ts';
import { paramHeadersOf } from '../paramHeaders.ts';
import type { Connection, ConnectionDeps, ServerCall } from './connection.ts';
import { isCutOff } from './createAddressTransport.ts';

/** The wire that servers of 2025 speak. */
const legacy = { kind: 'legacy' } as const;
const probeMs = 4_000;
/** How long the end of a session may take. */
const endMs = 2_000;
const maxPages = 50;
/** What the pages of one list may come to; a single one has the limit of any message. */
const maxListed = 5_000;
const maxListChars = 5_000_000;
/** How long all pages may take. */
const maxListMs = 60_000;
/** The longest time that a timer has: calls have a limit of their own. */
const maxTimerMs = 2_147_483_647;

/**
 * Speaks to a server: the newest protocol where it knows it, else that of 2025. Answers come as the server sent them, so that what is
 * agreed to is all of it.
 * @throws PincerError `mcp_not_connected`; `mcp_ended_at_probe` where it ended when it was asked for the newest one
 */
export async function openConnection(transport: Transport, deps: ConnectionDeps): Promise<Connection> {
  const client = new Client(
    { name: 'pincer', version: deps.version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
      // What a result holds is data to a model; patterns of a stranger's schema would run here.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  const limits = new Set<CallLimit>();
  const questions = new Set<AbortController>();
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    // A person may take longer than a program.
    const goOn = [...limits].map((limit) => limit.pause());
    const left = new AbortController();
    questions.add(left);
    try {
      const signal = AbortSignal.any([mcpReq.signal, left.signal]);
      const { action, ...more } = await deps.answer(params, signal);
      const content = 'content' in more ? { content: structuredClone(more.content) as never } : {};
      return { action, ...content };
    } finally {
      questions.delete(left);
      for (const each of goOn) each();
    }
  });
  let isOpen = true;
  /** Requests whose answer has not come. */
  let waiting = 0;
  /** Why the connection was given up: it takes no more requests. */
  let gone: unknown;
  const endRequests = (): void => void client.close();
  client.onclose = () => {
    deps.signal.removeEventListener('abort', endRequests);
    if (!isOpen) return;
    isOpen = false;
    deps.closed();
  };
  /** What is sent to an address has no connection that could end: a request that fails tells that the server is gone. */
  const giveUp = (error: unknown): void => {
    if (!isOpen) return;
    isOpen = false;
    gone = error;
    // Nobody closes it any more once another one takes its place.
    deps.signal.addEventListener('abort', endRequests);
    deps.closed(errorMessage(error));
  };
  /** Other requests may still be answered, on streams of their own. */
  const closeUnused = async (): Promise<void> => {
    if (gone !== undefined && waiting === 0) await client.close();
  };
  const ask = async (
    request: { readonly method: string; readonly params?: Readonly<Record<string, unknown>> },
    options: RequestOptions,
  ): Promise<unknown> => {
    if (gone !== undefined) throw notTaken(request.method, gone);
    waiting += 1;
    try {
      return await client.request(request as never, anything, options);
    } catch (error) {
      const loss = lossOf(error, transport);
      if (loss === 'broken') void lookForIt();
      if (loss !== 'not taken') throw error;
      giveUp(error);
      throw notTaken(request.method, error);
    } finally {
      waiting -= 1;
      await closeUnused();
    }
  };
  /** Of a request that was cut off nobody knows whether the server is still there: the next one tells. */
  const lookForIt = async (): Promise<void> => {
    try {
      await client.request({ method: 'tools/list' }, anything, { timeout: probeMs });
    } catch (error) {
      // One that is overloaded refuses this, too, and goes on with what it has begun.
      const isRefused = error instanceof SdkHttpError && waiting > 0;
      if (lossOf(error, transport) === undefined || isRefused) return;
      giveUp(error);
      await closeUnused();
    }
  };
  const listPages = async (signal: AbortSignal): Promise<readonly unknown[]> => {
    const tools: unknown[] = [];
    let chars = 0;
    let cursor: string | undefined;
    const asked = new Set<string>();
    for (let page = 0; page < maxPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await ask({ method: 'tools/list', params }, { signal, timeout: deps.connectMs });
      if (!isRecord(listed) || !Array.isArray(listed['tools'])) throw badList();
      const found: readonly unknown[] = listed['tools'];
      if (tools.length + found.length > maxListed) throw longList(`it has more than ${maxListed} tools`);
      chars += jsonSize(found, maxListChars);
      if (chars > maxListChars) throw longList(`it has more than ${maxListChars} characters`);
      for (const tool of found) tools.push(tool);
      const next = listed['nextCursor'];
      // Who names a page again has no more of them.
      if (typeof next !== 'string' || asked.has(next)) return tools;
      asked.add(next);
      cursor = next;
    }
    throw longList(`it has more than ${maxPages} pages`);
  };
  client.onerror = (error) => deps.log(errorMessage(error));
  client.setNotificationHandler('notifications/tools/list_changed', () => deps.toolsChanged());
  try {
    await client.connect(transport, {
      timeout: deps.connectMs,
      signal: deps.signal,
      ...(deps.wire === 'legacy' ? { prior: legacy } : {}),
    });
  } catch (error) {
    isOpen = false;
    await transport.close();
    throw notConnected(error);
  }
  if (isProgram(transport)) hearOfChanges(client, deps);
  return {
    wire: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    instructions: client.getInstructions() ?? '',
    async listTools(signal) {
      if (client.getServerCapabilities()?.tools === undefined) return [];
      const limit = startLimit(deps.clock, maxListMs);
      try {
        return await listPages(AbortSignal.any([signal, limit.signal]));
      } catch (error) {
        const isLate = limit.signal.aborted && !signal.aborted;
        throw isLate ? longList(`its pages took more than ${String(maxListMs / 1000)} s`, error) : error;
      } finally {
        limit.stop();
      }
    },
    async callTool({ tool, args, inputSchema, signal, timeoutMs, onProgress }: ServerCall) {
      const limit = startLimit(deps.clock, timeoutMs);
      limits.add(limit);
      try {
        return await ask(
          { method: 'tools/call', params: { name: tool, arguments: args } },
          {
            signal: AbortSignal.any([signal, limit.signal]),
            timeout: maxTimerMs,
            // Only the newer protocol knows them, and only at an address there are any.
            ...(client.getProtocolEra() === 'modern' ? { headers: paramHeadersOf(inputSchema, args) } : {}),
            onprogress: ({ progress, total, message }) => onProgress({ progress, total, message }),
          },
        );
      } catch (error) {
        throw limit.signal.aborted && !signal.aborted ? noAnswer(timeoutMs, error) : error;
      } finally {
        limit.stop();
        limits.delete(limit);
        // With the last call nobody waits for what was asked in it.
        if (limits.size === 0) for (const each of questions) each.abort();
      }
    },
    has: (what) => client.getServerCapabilities()?.[what] !== undefined,
    request: (method, params, signal) =>
      ask({ method, params: { ...params } }, { signal, timeout: deps.connectMs }),
    async close() {
      isOpen = false;
      if (gone === undefined) await endSession(transport, deps.clock);
      await client.close();
    },
  };
}

/**
 * What a server at an address keeps for a session it would keep until it ends itself (MCP 2025-11-25, Transports, Session management). One
 * that does not answer keeps nobody waiting.
 */
async function endSession(transport: Transport, clock: Clock): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport) || transport.sessionId === undefined) return;
  await new Promise<void>((resolve) => {
    const stop = clock.after(endMs, resolve);
    const ended = (): void => {
      stop();
      resolve();
    };
    // The transport tells `onerror` why it failed.
    transport.terminateSession().then(ended, ended);
  });
}

/** At an address no stream is opened that answers nothing. */
function isProgram(transport: Transport): boolean {
  return 'pid' in transport;
}

/**
 * What a failed request says of a server at an address: nobody took it, or it was cut off and may have been carried out. Undefined where the
 * server is there.
 */
function lossOf(error: unknown, transport: Transport): 'not taken' | 'broken' | undefined {
  if (error instanceof PincerError) {
    if (['net_connect', 'net_unknown_host', 'net_lookup'].includes(error.code)) return 'not taken';
    return error.code === 'net_failed' ? 'broken' : undefined;
  }
  if (isCutOff(error)) return 'broken';
  if (!(error instanceof SdkHttpError)) return undefined;
  const body = error.data['text'];
  if (isAnswer(body))
    return error.status === 404 && transport.sessionId !== undefined && refusesSession(body)
      ? 'not taken'
      : undefined;
  // One that was started anew knows no session of before: the protocol wants 404 then, and many say 400.
  const isForgotten =
    error.status === 400 && transport.sessionId !== undefined && /session/iu.test(error.message);
  if (error.status === 404 || isForgotten) return 'not taken';
  return error.status >= 502 && error.status <= 504 ? 'broken' : undefined;
}

/**
 * Whether what came with a status of failure answers the request: then the server took it. Our ids are numbers; who did not read the request
 * names none, or a word.
 */
function isAnswer(body: unknown): boolean {
  const said = typeof body === 'string' ? parseJson(body) : undefined;
  return isRecord(said) && said['jsonrpc'] === '2.0' && typeof said['id'] === 'number';
}

/**
 * Whether an answer says that the session is unknown: some servers look at it after they have read the request, and name its id. One that says
 * what else is wrong, if only of an argument named after sessions, took the request.
 */
function refusesSession(body: unknown): boolean {
  const said = typeof body === 'string' ? parseJson(body) : undefined;
  const error = isRecord(said) ? said['error'] : undefined;
  if (!isRecord(error) || typeof error['message'] !== 'string') return false;
  return lostSession.test(error['message'].trim());
}

/** The whole sentence: one of a tool's own sessions says more. */
const lostSession =
  /^(?:(?:bad request|not found|error): ?)?(?:(?:mcp )?session (?:id )?(?:was |is |has )?(?:not found|unknown|invalid|expired|terminated)|(?:unknown|invalid|expired|no such|no valid) (?:mcp )?session(?: id)?(?: provided)?)\.?$/iu;

/** In the newer protocol a server tells of changes only who asked for it; nothing waits for its yes. */
function hearOfChanges(client: Client, { connectMs, signal, log }: ConnectionDeps): void {
  if (client.getProtocolEra() !== 'modern') return;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  client.listen({ toolsListChanged: true }, { timeout: connectMs, signal }).catch((error: unknown) => {
    if (!signal.aborted) log(`It tells of no changed tools: ${errorMessage(error)}`);
  });
}

interface CallLimit {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Stops the time; what it returns lets it go on. */
  pause(): () => void;
  stop(): void;
}

/** The time that a call may take, without that in which a person is asked. */
function startLimit(clock: Clock, timeoutMs: number): CallLimit {
  const over = new AbortController();
  let left = timeoutMs;
  let pauses = 0;
  let begun = clock.monotonic();
  const start = (): (() => void) => {
    begun = clock.monotonic();
    return clock.after(left, () => over.abort(new Error('Request timed out')));
  };
  let stop = start();
  return {
    signal: over.signal,
    pause() {
      pauses += 1;
      if (pauses === 1) {
        stop();
        left -= clock.monotonic() - begun;
      }
      return () => {
        pauses -= 1;
        if (pauses === 0) stop = start();
      };
    },
    stop: () => stop(),
  };
}

/** Checks nothing: what comes is read by hand. */
const anything = {
  '~standard': {
    version: 1,
    vendor: 'pincer',
    validate: (value: unknown) => ({ value }),
  },
} as const;

/** Some servers of the older wire end at a question that they don't know: that is told apart, since they may be asked in their own way. */
function notConnected(error: unknown): PincerError {
  return new PincerError(
    /connection closed during .*probe/iu.test(errorMessage(error))
      ? 'mcp_ended_at_probe'
      : 'mcp_not_connected',
    `The server did not answer as an MCP server: ${errorMessage(error)}`,
    {
      cause: error,
      hint: 'Its log may say more.',
    },
  );
}

function noAnswer(timeoutMs: number, error: unknown): PincerError {
  return new PincerError(
    'mcp_no_answer',
    `The server has not answered within ${String(timeoutMs / 1000)} s. It may have done what was asked, or do it later.`,
    { cause: error, hint: 'Look at what has come of it before you call it again.' },
  );
}

function notTaken(method: string, error: unknown): PincerError {
  return new PincerError('mcp_gone', `The server did not take ${method}: ${errorMessage(error)}`, {
    cause: error,
    hint: 'Go on without it, or ask the user to look after it.',
  });
}

function longList(why: string, cause?: unknown): PincerError {
  return new PincerError('mcp_list_too_long', `The server's list of tools was not taken: ${why}.`, {
    ...(cause === undefined ? {} : { cause }),
    hint: 'This is a fault of the server, or it needs to be set up to bring fewer tools.',
  });
}

function badList(): PincerError {
  return new PincerError(
    'mcp_list_invalid',
    'The server did not list its tools in the way the protocol says.',
    {
      hint: 'This is a fault of the server.',
    },
  );
}
