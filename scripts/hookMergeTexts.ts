import type { HookName } from '../src/hooks/hookMap.ts';
import type { ObserveHook } from '../src/hooks/hookTypes.ts';

const turnTexts = 'Texts of all handlers are joined by an empty line.';
const promptTexts = 'The first `systemPrompt` counts; all other texts are joined by an empty line.';
const firstWins = 'The first that answers `handled: true` ends it.';

/** How the results of several handlers become one, and what ends the round. */
export const hookMergeTexts: Readonly<Record<Exclude<HookName, ObserveHook>, string>> = {
  before_model_resolve: 'The first model and the first provider that a handler names count.',
  agent_turn_prepare: turnTexts,
  before_prompt_build: promptTexts,
  before_agent_start: `${promptTexts} The first model and provider count.`,
  heartbeat_prompt_contribution: turnTexts,
  before_agent_run:
    'The first block ends the run. Anything but `pass` or `block`, nothing at all included, blocks too. `reason` is internal: it is never stored, shown or traced; `message` is what the user reads.',
  before_agent_reply: `${firstWins} Its \`reply\` takes the place of the model's answer.`,
  before_agent_finalize:
    '`finalize` beats `revise`, which beats `continue`; the first `finalize` ends it. Reasons of several revisions are joined.',
  before_tool_call:
    '`params` are merged over the parameters of the call, field by field; once a plugin has asked for approval, no other plugin can change them. All requests for approval become one question. The first `block: true` ends it, also after a request.',
  tool_result_persist:
    'The message is handed on from handler to handler. Its role and the call that it answers stay.',
  before_message_write:
    'The message is handed on from handler to handler. The first `block: true` keeps it out of the transcript.',
  inbound_claim: firstWins,
  before_dispatch: firstWins,
  reply_dispatch: firstWins,
  reply_payload_sending: 'The last payload counts. `cancel: true` ends it.',
  resolve_exec_env: 'All variables together; of two with one name the later counts.',
  message_sending: 'The last `content` and `metadata` count. The first `cancel: true` ends it.',
  subagent_spawning: 'The first `status: "error"` ends it.',
  subagent_delivery_target: 'The first `origin` counts.',
  before_install: 'Findings of all handlers are collected. The first `block: true` ends it.',
};
