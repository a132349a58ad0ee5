import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { commandIds } from './commandTable.ts';
import { settingDefaults } from './settingTable.ts';

const root = new URL('../../', import.meta.url);

interface Manifest {
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly keybindings: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
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

describe('package.json', () => {
  it('contributes exactly the commands of the table', () => {
    expect(manifest.contributes.commands.map((each) => each.command).sort()).toEqual([...commandIds].sort());
  });

  it('names only commands of the table in menus and keybindings', () => {
    const named = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings];
    const unknown = named
      .map((each) => each.command)
      .filter((id) => !commandIds.some((known) => known === id));
    expect(unknown).toEqual([]);
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
