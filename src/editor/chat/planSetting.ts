import type { ThinkingLevel } from '../../contracts/model.ts';
import type { SessionSettings } from '../../contracts/sessionEntry.ts';

export const settingNames = ['temperature', 'thinking', 'maxTokens'] as const;
export type SettingName = (typeof settingNames)[number];

/** What `/set` is to do: nothing but tell, change one setting (undefined takes it back), or say what is wrong. */
type SettingPlan =
  | { readonly kind: 'tell' }
  | {
      readonly kind: 'change';
      readonly name: SettingName;
      readonly change: { readonly [K in SettingName]?: SessionSettings[K] | undefined };
    }
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'invalid'; readonly name: SettingName };

/** Not that of the config: its schemas have no place in the bundle that every window loads. */
const thinkingLevels = Object.keys({
  off: 0,
  minimal: 0,
  low: 0,
  medium: 0,
  high: 0,
  xhigh: 0,
} satisfies Record<ThinkingLevel, 0>);

const takesBack = new Set(['default', 'auto', 'reset']);

/** Reads `temperature 0.3`, `thinking high` or `maxTokens default`; case does not count. Pure. */
export function planSetting(said: string): SettingPlan {
  const [first = '', value = '', ...rest] = said.trim().split(/[\s=:]+/u);
  if (first === '') return { kind: 'tell' };
  const name = settingNames.find((each) => each.toLowerCase() === first.toLowerCase());
  if (name === undefined) return { kind: 'unknown', name: first };
  if (rest.length > 0) return { kind: 'invalid', name };
  if (takesBack.has(value.toLowerCase())) return { kind: 'change', name, change: { [name]: undefined } };
  const read = readValue(name, value.toLowerCase());
  return read === undefined ? { kind: 'invalid', name } : { kind: 'change', name, change: { [name]: read } };
}

function readValue(name: SettingName, value: string): string | number | undefined {
  if (name === 'thinking') return thinkingLevels.find((level) => level === value);
  if (!/^\d+(?:\.\d+)?$/u.test(value)) return undefined;
  const number = Number(value);
  if (name === 'temperature') return number <= 2 ? number : undefined;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
