import type { PluginAsks, PluginRecord, UnreadCode } from '../../plugins/pluginTypes.ts';
import { inertFact } from '../inert.ts';

/** What enabling a plugin of the workspace agrees to. */
export function describeConsent({ id, asks, needsConsent, dexto, source }: PluginRecord): string {
  return [
    `\n${inertFact(id)} comes with this workspace. Enabling it lets it run with your rights, outside any sandbox.`,
    ...(dexto === undefined ? describeAsks(asks) : describeDextoAsks(asks, dexto.blocking)),
    ...(dexto === undefined ? [] : [`  file: ${inertFact(source)}`]),
    ...(needsConsent?.why === 'files-changed'
      ? [`  changed since you enabled it: ${listOf(needsConsent.changedFiles)}`]
      : []),
    '',
  ].join('\n');
}

/** What a plugin's text says that it is going to do, as indented lines. */
export function describeAsks(asks: PluginAsks | undefined): readonly string[] {
  return [
    `  tools: ${listOf(asks?.tools)}`,
    `  hooks: ${listOf(asks?.hooks)}`,
    ...line(
      'slash commands',
      asks?.commands.map((name) => `/${name}`),
    ),
    ...line('also registers', asks?.registers),
    ...line('and what you allowed before', asks?.more),
    `  uses: ${listOf(asks?.reaches)}`,
    ...describeCode(asks),
    ...(asks?.conversation === true ? ['  It asks to read your conversations.'] : []),
  ];
}

function line(title: string, names: readonly string[] = []): readonly string[] {
  return names.length === 0 ? [] : [`  ${title}: ${listOf(names)}`];
}

const unreadTexts: Readonly<Record<UnreadCode, string>> = {
  much: 'there is more code than was read',
  computed: "it has code or loaders that this list can't follow",
};

/** What its code starts and brings, and what of it was not read; nothing where there is nothing to say. */
export function describeCode(asks: PluginAsks | undefined): readonly string[] {
  return [
    ...line('programs', asks?.programs),
    ...line('packages', asks?.packages),
    ...line('native add-ons, which do not load', asks?.natives),
    ...line('its folder is a link to', asks?.linkedTo === undefined ? [] : [asks.linkedTo]),
    ...line(
      'this list may be incomplete',
      asks?.unread.map((why) => unreadTexts[why]),
    ),
  ];
}

function describeDextoAsks(asks: PluginAsks | undefined, blocking: boolean): readonly string[] {
  return [
    `  extension points: ${listOf(asks?.points)}`,
    ...line('and what you allowed before', asks?.more),
    `  It sees what is said and can change it; ${blocking ? 'it can stop it, too, and so does its failure' : 'it stops nothing'}.`,
    `  uses: ${listOf(asks?.reaches)}`,
    ...describeCode(asks),
    ...(asks?.storage ?? []).map((line) => `  ${inertFact(line)}`),
  ];
}

function listOf(names: readonly string[] = []): string {
  return names.length === 0 ? 'none found' : inertFact(names.join(', '));
}
