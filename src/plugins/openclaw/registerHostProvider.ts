import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { HostProviderKind } from '../pluginTypes.ts';
import { hostProviderTaken } from '../providers/pluginProvider.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/**
 * `api.registerWebSearchProvider` and its like: something that the host asks where the user's config names its id. Each field is read
 * once, now. Messages are upstream's.
 */
export function registerHostProvider(parts: PluginApiParts, kind: HostProviderKind, provider: unknown): void {
  const { registrations, manifest, currentConfig, call } = parts;
  const given = isRecord(provider) ? provider : {};
  const { id: rawId, label, createTool } = given;
  const id = textOf(rawId, 80);
  if (id === undefined) {
    refuseRegistration(parts, `${kind} registration missing id`);
    return;
  }
  if (typeof createTool !== 'function') {
    refuseRegistration(parts, `${kind} "${id}" has no function createTool`);
    return;
  }
  if (registrations.hostProviders.some((each) => each.kind === kind && each.id === id)) {
    refuseRegistration(parts, hostProviderTaken(kind)(id, manifest.id));
    return;
  }
  registrations.hostProviders.push({
    kind,
    id,
    label: textOf(label, 80) ?? id,
    currentConfig,
    run: (argument) =>
      call(`the ${kind} ${id}`, () => Reflect.apply(createTool, provider, [argument]) as unknown),
    call,
  });
}

function textOf(value: unknown, max: number): string | undefined {
  const text = typeof value === 'string' ? inertLine(value, max).trim() : '';
  return text === '' ? undefined : text;
}
