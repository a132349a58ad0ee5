import { isRecord } from '../../base/json.ts';
import {
  parseAgentFile,
  type AgentFileReading,
  type AgentText,
} from '../../config/agentFile/parseAgentFile.ts';
import { parseAgentYaml } from '../../config/agentFile/parseAgentYaml.ts';

/**
 * Checks an agent file as it will be checked where the bundle runs, but for environment variables: they need not be set here. Then only
 * the parts that a bundle needs are read. Pure.
 */
export function readAgentToBundle(input: Omit<AgentText, 'origin' | 'projectDir'>): AgentFileReading {
  const whole = { ...input, origin: 'user', projectDir: input.roots[0] } as const;
  const reading = parseAgentFile(whole);
  if (reading.file !== undefined) return reading;
  const missing = reading.diagnostics.filter(({ code }) => code === 'agent_file_env_missing');
  const isOfMissing = (line: number | undefined): boolean => missing.some((each) => each.line === line);
  const others = reading.diagnostics.filter(({ level, line }) => level === 'error' && !isOfMissing(line));
  const parsed = parseAgentYaml(input.text);
  if (others.length > 0 || !parsed.ok || !isRecord(parsed.value)) return reading;
  const { plugins, hooks, systemPrompt } = parsed.value;
  // JSON is YAML.
  return parseAgentFile({
    ...whole,
    text: JSON.stringify({ plugins, hooks, systemPrompt }),
    env: anyVariable(input.env),
  });
}

/** Every variable has a value; those that are not set hold a word that nothing reads. */
function anyVariable(env: AgentText['env']): AgentText['env'] {
  const valueOf = (name: PropertyKey): string => env[String(name)] ?? 'unset';
  return new Proxy(env, {
    get: (_, name) => valueOf(name),
    getOwnPropertyDescriptor: (_, name) => ({ value: valueOf(name), enumerable: true, configurable: true }),
  });
}
