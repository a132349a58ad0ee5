import { PincerError } from '../base/errors.ts';

export function agentUnknown(id: string, known: readonly string[]): PincerError {
  return new PincerError('agent_unknown', `There is no agent "${id}".`, {
    hint: `There is: ${known.join(', ')}.`,
  });
}

export function agentNotAllowed(id: string, by: string): PincerError {
  return new PincerError('agent_not_allowed', `The agent ${by} may not start the agent "${id}".`, {
    hint: `The user allows it with agents.${by}.subagents.allowAgents. agents_list gives those that may be started.`,
  });
}

export function subagentTooDeep(limit: number, root: string): PincerError {
  return new PincerError(
    'subagent_too_deep',
    limit === 0 ? `The agent ${root} may start no agents.` : 'An agent this deep may start no others.',
    { hint: `Do the work yourself. The user sets the limit with agents.${root}.subagents.maxDepth.` },
  );
}

export function subagentTooMany(running: number, where: string): PincerError {
  return new PincerError('subagent_too_many', `${running} started agents run already, ${where}.`, {
    hint: 'Wait for one with subagents (action: wait), or stop one (action: kill).',
  });
}

export function subagentRefused(pluginId: string, reason: string): PincerError {
  return new PincerError('subagent_refused', `The plugin ${pluginId} refused to start an agent: ${reason}`, {
    hint: 'Do not try it again unchanged.',
  });
}

export function subagentUnknown(target: string, known: readonly string[]): PincerError {
  return new PincerError('subagent_unknown', `This session has started no agent "${target}".`, {
    hint: known.length === 0 ? 'It has started none.' : `It has started: ${known.join(', ')}.`,
  });
}

export function subagentEnded(label: string): PincerError {
  return new PincerError('subagent_ended', `The started agent "${label}" has ended.`, {
    hint: 'sessions_send goes on with its session; sessions_history reads it.',
  });
}

export function agentModelUnknown(name: string): PincerError {
  return new PincerError('model_unknown', `There is no model "${name}".`, {
    hint: 'Leave the model out to take that of this session.',
  });
}

/** The same for a session that is not there and one that the caller may not see: nothing is given away. */
export function sessionNotVisible(name: string): PincerError {
  return new PincerError('session_unknown', `There is no session "${name}" that you can see.`, {
    hint: 'sessions_list gives those that you can see.',
  });
}

export function tooManyDelivered(): PincerError {
  return new PincerError('session_answers_wait', 'Answers of started agents wait there already.', {
    hint: 'They are read with the next message in that session.',
  });
}

export function sendToItself(): PincerError {
  return new PincerError('session_send_self', 'That is this very session.', {
    hint: 'Answer the user instead.',
  });
}

export function sendLoop(): PincerError {
  return new PincerError(
    'session_send_loop',
    'That session waits for what you answer, or has asked one that does.',
    {
      hint: 'Just answer: your answer is given to it.',
    },
  );
}

export function embeddedTooMany(pluginId: string, limit: number): PincerError {
  return new PincerError('plugin_agent_too_many', `Plugin ${pluginId} runs ${limit} agents already.`, {
    hint: 'Wait for one of them; an agent run that starts another one from its own hooks comes here too.',
  });
}

export function embeddedSessionForeign(pluginId: string, key: string): PincerError {
  return new PincerError('session_unknown', `Plugin ${pluginId} has made no session "${key}".`, {
    hint: 'A plugin reaches only the sessions that it began itself.',
  });
}
