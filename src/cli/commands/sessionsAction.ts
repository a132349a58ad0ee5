import { errorMessage, PincerError } from '../../base/errors.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertMessage } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findSummary } from './findSummary.ts';

interface ActionOptions extends CliOptions {
  /** JSON. */
  readonly payload?: string;
}

/**
 * `pincer sessions action`: what a plugin does with a conversation when a person asks for it.
 * @throws PincerError `session_unknown`, `session_action_unknown`, `session_action_payload`, `session_action_failed`
 */
export async function runSessionsAction(
  options: ActionOptions,
  text: string,
  action: string,
  output: Output,
): Promise<ExitCode> {
  const payload = options.payload === undefined ? undefined : parsePayload(options.payload);
  return await withRuntime(options, output, async (runtime) => {
    const { id } = await findSummary(runtime.conversations, text);
    const session = await runtime.conversations.sessions.open(id);
    const at = action.lastIndexOf('/');
    const answer = await runtime.plugins.runSessionAction({
      pluginId: action.slice(0, Math.max(0, at)),
      actionId: action.slice(at + 1),
      ...{ sessionKey: session?.key ?? '', payload },
      ...(session === undefined ? {} : { agentId: session.agentId }),
    });
    const said = answer.reply ?? answer.result;
    if (options.json === true) output.out(toJson(answer));
    else
      output.out(
        said === undefined ? 'Done.\n' : `${inertMessage(typeof said === 'string' ? said : toJson(said))}\n`,
      );
    return exitCodes.ok;
  });
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PincerError('session_action_payload', `--payload is no JSON: ${errorMessage(cause)}`, {
      hint: `Such as --payload '{"key": "value"}'`,
      cause,
    });
  }
}
