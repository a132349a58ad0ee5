import { PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';

export function untrustedWindow(): PincerError {
  return new PincerError('gateway_untrusted', 'The gateway does not run in a restricted window.', {
    hint: 'Trust the folder first.',
  });
}

export function portTaken(port: number): PincerError {
  return new PincerError('gateway_port_taken', `Another program listens on port ${String(port)}.`, {
    hint: 'Name another one as gateway.port in your config, or 0 for any that is free.',
  });
}

export function didNotStart(reason: string): PincerError {
  return new PincerError('gateway_failed', `The gateway did not start: ${reason}`, {
    hint: 'The log of Pincer says more. Start it again with Pincer: Start Gateway.',
  });
}

export function ended(reason: string): PincerError {
  return new PincerError('gateway_ended', `The gateway has ended: ${reason}`, {
    hint: 'Start it again with Pincer: Start Gateway.',
  });
}

export function tokenMissing(): PincerError {
  return new PincerError('gateway_token_missing', 'PINCER_GATEWAY_TOKEN is not set.', { hint: newTokenHint });
}

export function tokenWeak(variable: string): PincerError {
  return new PincerError('gateway_token_weak', `${variable} is too short for a token of 256 bits.`, {
    hint: `Make one: export ${variable}=$(openssl rand -hex 32)`,
  });
}

export function tokensEqual(): PincerError {
  return new PincerError(
    'gateway_tokens_equal',
    'PINCER_MCP_TOKEN is the same as PINCER_GATEWAY_TOKEN: an MCP client would have the whole gateway.',
    { hint: newMcpTokenHint },
  );
}

export function mcpTokenMissing(): PincerError {
  return new PincerError('gateway_mcp_token_missing', 'PINCER_MCP_TOKEN is not set: no MCP client gets in.', {
    hint: newMcpTokenHint,
  });
}

export function tokenGiven(): PincerError {
  return new PincerError('gateway_token_given', 'The token of MCP clients comes from PINCER_MCP_TOKEN.', {
    hint: 'Set another one, or unset it, and start the gateway again.',
  });
}

export function notForAgents(action: string, why: string, hint: string): PincerError {
  return new PincerError(
    'gateway_not_for_agents',
    `${action} is not for agents. ${why}: that is the user's to change.`,
    {
      hint,
    },
  );
}

export function notRestarted(why: string, hint: string): PincerError {
  return new PincerError('gateway_not_restarted', `The gateway is not restarted: ${why}.`, { hint });
}

export function configPathUnknown(path: string, keys: readonly string[]): PincerError {
  return new PincerError(
    'gateway_config_path_unknown',
    `The config says nothing of "${inertLine(path, 200)}".`,
    {
      ...(keys.length === 0 ? {} : { hint: `There it has: ${keys.slice(0, 50).join(', ')}.` }),
    },
  );
}

export function modelUnknown(name: string): PincerError {
  return new PincerError('model_unknown', `There is no model ${name}.`, {
    hint: 'GET /v1/models lists them.',
  });
}

const newMcpTokenHint = 'Make one: export PINCER_MCP_TOKEN=$(openssl rand -hex 32)';
const newTokenHint = 'Make one: export PINCER_GATEWAY_TOKEN=$(openssl rand -hex 32)';
