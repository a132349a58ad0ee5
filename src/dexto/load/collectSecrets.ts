import { isSecretSetting } from '../../base/secrets/secretFields.ts';
import type { AgentFile } from '../agentFile/agentFile.ts';
import { isRecord } from '../../base/json.ts';

/** Shorter ones, and sentences, are rather words than secrets. */
const secretValue = /^\S{8,}$/u;
const maxDepth = 20;

/** What must not be seen of an agent file: its own secrets, and settings of plugins whose names say that they are secret. Pure. */
export function collectSecrets({
  secrets,
  plugins,
}: Pick<AgentFile, 'secrets' | 'plugins'>): readonly string[] {
  return [...secrets, ...plugins.flatMap(({ config }) => secretsIn(config))];
}

function secretsIn(value: unknown, depth = 0): readonly string[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    typeof each === 'string' && isSecretSetting(key) && secretValue.test(each)
      ? [each]
      : secretsIn(each, depth + 1),
  );
}
