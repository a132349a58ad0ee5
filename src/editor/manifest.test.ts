import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { commandIds, type CommandId } from './commandTable.ts';
import { contextKeys } from './contextKeys.ts';
import { extensionId, rowCommandsOf } from './rowCommands.ts';
import { settingDefaults } from './settingTable.ts';

const root = new URL('../../', import.meta.url);

/** A command, or a menu inside of the menu. */
type MenuEntry = ({ readonly command: string } | { readonly submenu: string }) & { readonly when?: string };

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly keybindings: readonly { readonly command: string; readonly when?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown; readonly scope: string }>>;
    };
  };
}

const text = await readFile(new URL('package.json', root), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const strings = JSON.parse(await readFile(new URL('package.nls.json', root), 'utf8')) as Record<
  string,
  string
>;

/** These begin something, or act on what is always there: bundled plugins, core tools, the config. */
const alwaysUseful: readonly CommandId[] = [
  'pincer.chat.open',
  'pincer.chat.openView',
  'pincer.session.new',
  'pincer.status.show',
  'pincer.walkthrough.open',
  'pincer.docs.open',
  'pincer.approvals.setMode',
  'pincer.plugins.disable',
  'pincer.plugins.reload',
  'pincer.plugins.reloadAll',
  'pincer.plugins.configure',
  'pincer.plugins.new',
  'pincer.plugins.install',
  'pincer.plugins.reveal',
  'pincer.plugins.openSource',
  'pincer.plugins.openManifest',
  'pincer.tools.explain',
  'pincer.tools.tryCommand',
  'pincer.schedule.add',
  'pincer.models.add',
  'pincer.models.signIn',
  'pincer.gateway.start',
  'pincer.channels.show',
  'pincer.mcp.add',
  'pincer.config.openUser',
  'pincer.log.show',
];

describe('package.json', () => {
  it('contributes exactly the commands of the table', () => {
    expect(manifest.contributes.commands.map((each) => each.command).sort()).toEqual([...commandIds].sort());
  });

  it('tells the commands of rows from those that a title runs without one', () => {
    expect(extensionId).toBe(`${manifest.publisher}.${manifest.name}`);
    const ofRows = rowCommandsOf(manifest.contributes.menus);
    const answers = commandIds.filter((id) =>
      /^pincer\.approvals\.(?:allow(?:Once|Always|Turn|Session)|deny)$/u.test(id),
    );
    expect(answers).toHaveLength(5);
    expect(answers.filter((id) => !ofRows.has(id))).toEqual([]);
    expect([...ofRows]).not.toContain('pincer.approvals.denyWhy');
    expect([...ofRows]).not.toContain('pincer.memory.reindex');
  });

  it('names only commands of the table in menus and keybindings', () => {
    const named = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings];
    const unknown = named
      .flatMap((each) => ('command' in each ? [each.command] : []))
      .filter((id) => !commandIds.some((known) => known === id));
    expect(unknown).toEqual([]);
  });

  it('shows a command in the palette only while it can do something', () => {
    const palette = manifest.contributes.menus['commandPalette'] ?? [];
    const conditional = new Set(
      palette.flatMap((each) => ('command' in each && each.when !== undefined ? [each.command] : [])),
    );
    const unconditional = commandIds.filter((id) => !conditional.has(id));
    expect(unconditional).toEqual(alwaysUseful);
  });

  it('goes by exactly the context keys of the table', () => {
    const ownNames = new Set([
      ...commandIds,
      ...Object.keys(manifest.contributes.configuration.properties),
      ...Object.values(manifest.contributes.views).flatMap((views) => views.map(({ id }) => id)),
    ]);
    const whens = [...text.matchAll(/"(?:when|enablement)": "([^"]+)"/gu)].map((match) => match[1] ?? '');
    whens.push(...[...text.matchAll(/"onContext:([^"]+)"/gu)].map((match) => match[1] ?? ''));
    const named = whens.flatMap((when) => [...when.matchAll(/pincer\.[\w.]+/gu)].map(([name]) => name));
    const used = new Set(named.filter((name) => !ownNames.has(name)));
    expect([...used].sort()).toEqual(Object.keys(contextKeys).sort());
  });

  it('ends the name of a command with “…” where it asks for more before it acts', () => {
    const asking: readonly CommandId[] = [
      'pincer.sessions.resume',
      'pincer.sessions.openInView',
      'pincer.sessions.openInPanel',
      'pincer.sessions.rename',
      'pincer.sessions.fork',
      'pincer.sessions.show',
      'pincer.sessions.export',
      'pincer.sessions.search',
      'pincer.approvals.setMode',
      'pincer.models.add',
      'pincer.models.signIn',
      'pincer.models.editPrice',
      'pincer.plugins.new',
      'pincer.plugins.install',
      'pincer.schedule.add',
      'pincer.channels.unpair',
      'pincer.channels.answer',
      'pincer.mcp.add',
    ];
    const without = asking.filter((id) => strings[id.replace('pincer', 'command')]?.endsWith('…') !== true);
    expect(without).toEqual([]);
  });

  it('has the settings of the table with their defaults', () => {
    const { properties } = manifest.contributes.configuration;
    const defaults = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name.replace(/^pincer\./u, ''), each.default]),
    );
    expect(defaults).toEqual(settingDefaults);
  });

  it('lets no setting that gives power be written by a workspace: globs of its own folder take away or name its files', () => {
    const { properties } = manifest.contributes.configuration;
    const ofWorkspaces = Object.entries(properties).filter(([, { scope }]) => scope !== 'application');
    expect(ofWorkspaces.map(([name, { scope }]) => `${name} ${scope}`)).toEqual([
      'pincer.memory.include resource',
      'pincer.memory.exclude resource',
    ]);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
      'pincer.memory.include',
    ]);
  });

  it('has a text for every placeholder, and no text that nothing uses', () => {
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/gu)].map((match) => match[1]));
    expect([...used].sort()).toEqual(Object.keys(strings).sort());
  });

  it('asks for no proposed API', () => {
    expect(manifest.enabledApiProposals).toBeUndefined();
  });
});
