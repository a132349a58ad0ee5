import { isRecord } from '../../base/json.ts';
import { refuseRegistration } from './refuseRegistration.ts';
import type { PluginApiParts } from './pluginApiParts.ts';

/** `api.registerCli(registrar, { commands | descriptors })`: commands for the `pincer` program (OpenClaw plugin API, CLI Registration). */
export function registerCli(parts: PluginApiParts, registrar: unknown, options: unknown): void {
  if (typeof registrar !== 'function') {
    refuseRegistration(parts, 'cli registrar must be a function');
    return;
  }
  parts.registrations.cli.push({
    registrar: (context) => Reflect.apply(registrar, undefined, [context]) as unknown,
    commands: declaredCommands(options),
  });
}

function declaredCommands(options: unknown): readonly string[] {
  if (!isRecord(options)) return [];
  const { commands, descriptors } = options;
  const names = [
    ...(Array.isArray(commands) ? (commands as unknown[]) : []),
    ...(Array.isArray(descriptors) ? (descriptors as unknown[]) : []).map((each) =>
      isRecord(each) ? each['name'] : undefined,
    ),
  ];
  const texts = names.flatMap((name) =>
    typeof name === 'string' && name.trim() !== '' ? [name.trim()] : [],
  );
  return [...new Set(texts)];
}
