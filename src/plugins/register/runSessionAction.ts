import { errorMessage, PincerError } from '../../base/errors.ts';
import { isJsonValue, isRecord } from '../../base/json.ts';
import type { Clock } from '../../host/ports.ts';
import { validatePluginConfig } from '../manifest/validatePluginConfig.ts';
import { withDeadline } from '../withDeadline.ts';
import type { Registrations } from './registrations.ts';

/** What a person starts: an action of a plugin, on one session. */
export interface SessionActionRequest {
  readonly pluginId: string;
  readonly actionId: string;
  readonly sessionKey: string;
  readonly agentId?: string;
  /** JSON; checked against the action's schema. */
  readonly payload?: unknown;
}

export interface SessionActionResult {
  /** What the plugin gives a program. */
  readonly result?: unknown;
  /** What it says to a person. */
  readonly reply?: unknown;
  /** It wishes that the agent goes on; who started the action sees to that. */
  readonly continueAgent?: boolean;
}

const timeoutMs = 60_000;

/**
 * Runs it. What the plugin answers is checked and copied.
 * @throws PincerError `session_action_unknown`, `session_action_payload`, `session_action_failed`, or the plugin's own code
 */
export async function runSessionAction(
  sources: readonly {
    readonly pluginId: string;
    readonly registrations: Pick<Registrations, 'sessionActions'>;
  }[],
  request: SessionActionRequest,
  clock: Clock,
): Promise<SessionActionResult> {
  const { pluginId, actionId, payload } = request;
  const name = `${pluginId}/${actionId}`;
  const own = sources.find((each) => each.pluginId === pluginId)?.registrations.sessionActions ?? [];
  const action = own.find(({ id }) => id === actionId);
  if (action === undefined) {
    const known = sources.flatMap((each) =>
      each.registrations.sessionActions.map(({ id }) => `${each.pluginId}/${id}`),
    );
    throw new PincerError('session_action_unknown', `No plugin has a session action ${name}.`, {
      hint: known.length === 0 ? 'No plugin that runs has any.' : `There are: ${known.join(', ')}.`,
    });
  }
  const problems = action.schema === undefined ? [] : problemsOf(action.schema, payload);
  if (problems.length > 0) {
    throw new PincerError(
      'session_action_payload',
      `The payload of ${name} is not usable: ${problems.join('; ')}`,
    );
  }
  const answer = await callHandler(name, () => action.handler(contextOf(request)), clock);
  return toResult(name, answer);
}

function contextOf({ sessionKey, agentId, payload, ...ids }: SessionActionRequest): object {
  return {
    ...{ ...ids, sessionKey, client: { scopes: ['operator.write'] } },
    ...(agentId === undefined ? {} : { agentId }),
    ...(payload === undefined ? {} : { payload: structuredClone(payload) }),
  };
}

/** The check of settings takes objects alone, so the payload goes as a field of one. */
function problemsOf(schema: Readonly<Record<string, unknown>>, payload: unknown): readonly string[] {
  const whole = { type: 'object', properties: { payload: schema }, required: ['payload'] };
  const checked = validatePluginConfig(whole, payload === undefined ? {} : { payload });
  return checked.ok ? [] : checked.problems;
}

async function callHandler(name: string, call: () => unknown, clock: Clock): Promise<unknown> {
  try {
    return await withDeadline(Promise.resolve(call()), timeoutMs, clock);
  } catch (cause) {
    throw new PincerError(
      'session_action_failed',
      `The session action ${name} failed: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

function toResult(name: string, answer: unknown): SessionActionResult {
  if (!isRecord(answer)) return {};
  const { ok, error, code, result, reply, continueAgent } = answer;
  if (ok === false) {
    const why = typeof error === 'string' && error !== '' ? error : 'it gave no reason';
    throw new PincerError(
      typeof code === 'string' && /^\w{1,60}$/u.test(code) ? code : 'session_action_failed',
      `The session action ${name} failed: ${why}`,
    );
  }
  if (![result, reply].every((each) => each === undefined || isJsonValue(each)))
    throw new PincerError(
      'session_action_failed',
      `The session action ${name} answered with what JSON can't hold.`,
    );
  return structuredClone({
    ...(result === undefined ? {} : { result }),
    ...(reply === undefined ? {} : { reply }),
    ...(typeof continueAgent === 'boolean' ? { continueAgent } : {}),
  });
}
