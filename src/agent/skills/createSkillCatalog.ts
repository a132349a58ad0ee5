import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { flavourOf, type WorkspaceLayout } from '../../tools/paths/workspaceLayout.ts';
import { createTextCache } from '../prompt/createTextCache.ts';
import { skillFolderMissing, skillOdd, skillOverridden, skillUnused, tooManySkills } from './skillErrors.ts';
import { parseSkillFile, skillFileName, type ParsedSkill } from './parseSkillFile.ts';
import type { Skill, SkillOrigin } from './skill.ts';

interface FoundSkills {
  /** In the order of who wins; names are unique, whatever their case. */
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The skills that there are now. */
export interface SkillCatalog {
  /** Looks at the folders again; files that have not changed are not read again. Never rejects. */
  list(): Promise<FoundSkills>;
  /** The text of a skill without its frontmatter; undefined where it is gone or broken. */
  load(skill: Skill): Promise<string | undefined>;
  /** True where the last look found none; false before the first. */
  isEmpty(): boolean;
}

interface SkillCatalogParts {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  /** Asked for each look, never before. */
  readonly state: () => SkillPlacesInput & { readonly isEnabled: boolean };
}

const maxFolders = 200;

export function createSkillCatalog({ fs, platform, state }: SkillCatalogParts): SkillCatalog {
  const texts = createTextCache({ fs, platform });
  const paths = flavourOf(platform);
  /** By text, so that a file that has not changed is not parsed again. */
  const parsed = new Map<string, { readonly text: string; readonly skill: ParsedSkill }>();
  let isEmpty = false;

  const parse = (file: string, text: string, folderName: string): ParsedSkill => {
    const known = parsed.get(file);
    if (known?.text === text) return known.skill;
    const skill = parseSkillFile(text, folderName);
    parsed.set(file, { text, skill });
    return skill;
  };

  /** The skill of one folder; undefined where it holds none. */
  const look = async (place: SkillPlace, folder: string): Promise<SkillResult | undefined> => {
    const file = paths.join(folder, skillFileName);
    const read = await texts.read(place.within, file);
    if (read.status === 'missing') return undefined;
    if (read.status === 'refused') return { diagnostics: [skillUnused(file, read.why)] };
    const skill = parse(file, read.text, paths.basename(folder));
    if (!skill.ok) return { diagnostics: [skillUnused(file, skill.message, skill.line)] };
    const real = paths.dirname(read.realPath);
    return {
      skill: {
        ...skill.summary,
        origin: place.origin,
        folder: real,
        file,
        ...(place.pluginId === undefined ? {} : { pluginId: place.pluginId }),
      },
      diagnostics: skill.warnings.map(({ message, line }) => skillOdd(file, message, line)),
    };
  };

  const lookIn = async (place: SkillPlace): Promise<readonly SkillResult[]> => {
    const entries = paths.isAbsolute(place.folder)
      ? await fs.readDirectory(place.folder).catch(() => undefined)
      : undefined;
    if (entries === undefined)
      return place.isNamed === true ? [{ diagnostics: [skillFolderMissing(place.folder)] }] : [];
    const itself = entries.some(({ name }) => name === skillFileName)
      ? await look(place, place.folder)
      : undefined;
    if (itself !== undefined) return [itself];
    const names = entries
      .filter(({ name, kind }) => (kind === 'directory' || kind === 'symlink') && !name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
    const found = await Promise.all(
      names.slice(0, maxFolders).map((name) => look(place, paths.join(place.folder, name))),
    );
    const few = found.filter((each) => each !== undefined);
    return names.length > maxFolders
      ? [...few, { diagnostics: [tooManySkills(place.folder, maxFolders)] }]
      : few;
  };

  return {
    async list() {
      const input = state();
      const places = input.isEnabled ? planSkillPlaces(input) : [];
      const found = pickSkills((await Promise.all(places.map(lookIn))).flat());
      isEmpty = found.skills.length === 0;
      return found;
    },
    async load({ file, folder }) {
      const read = await texts.read(folder, file);
      if (read.status !== 'text') return undefined;
      const skill = parse(file, read.text, folder);
      return skill.ok ? skill.body : undefined;
    },
    isEmpty: () => isEmpty,
  };
}

interface SkillResult {
  readonly skill?: Skill;
  readonly diagnostics: readonly Diagnostic[];
}

/** Of several skills with one name the first counts; the others are told. Pure. */
function pickSkills(found: readonly SkillResult[]): FoundSkills {
  const winners = new Map<string, Skill>();
  const diagnostics: Diagnostic[] = [];
  for (const each of found) {
    diagnostics.push(...each.diagnostics);
    if (each.skill === undefined) continue;
    const key = each.skill.name.toLowerCase();
    const winner = winners.get(key);
    if (winner === undefined) winners.set(key, each.skill);
    // The same folder may be reached in two ways.
    else if (winner.folder !== each.skill.folder) diagnostics.push(skillOverridden(each.skill, winner));
  }
  return { skills: [...winners.values()], diagnostics };
}

/** A folder whose subfolders may be skills, or that is one itself. */
interface SkillPlace {
  readonly origin: SkillOrigin;
  /** Absolute. */
  readonly folder: string;
  /** What a skill found here may not lead out of; absolute. */
  readonly within: string;
  readonly pluginId?: string;
  /** True where the config names it: it has to be there. */
  readonly isNamed?: boolean;
}

export interface SkillPlacesInput {
  readonly layout: WorkspaceLayout;
  readonly isTrusted: boolean;
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** What `~` stands for. */
  readonly userHome: string;
  /** `agent.skills.folders` of the user's config, as written. */
  readonly configured: readonly string[];
  /** Of plugins that run. */
  readonly plugins: readonly {
    readonly pluginId: string;
    readonly rootDir: string;
    readonly folder: string;
  }[];
}

/** Where each agent keeps the skills of a workspace. */
const workspaceFolders: readonly (readonly string[])[] = [
  ['.pincer', 'skills'],
  ['.github', 'skills'],
  ['.claude', 'skills'],
  ['skills'],
];

/**
 * Where skills may lie, by who wins where two have one name: what the user's config names, the user's own, the workspace's,
 * those of plugins. So a repository can't put itself in the place of a skill that the user trusts. The
 * workspace's count in a trusted window only. Pure.
 */
function planSkillPlaces(input: SkillPlacesInput): readonly SkillPlace[] {
  const { layout, isTrusted, home, userHome, configured, plugins } = input;
  const paths = flavourOf(layout.platform);
  const named = configured.map((written): SkillPlace => {
    const folder = written.trim().replace(/^~(?=$|[/\\])/u, () => userHome);
    return { origin: 'config', folder, within: folder, isNamed: true };
  });
  const own = paths.join(home, 'skills');
  const workspace = (isTrusted ? layout.roots : []).flatMap((root) =>
    workspaceFolders.map((names): SkillPlace => ({
      origin: 'workspace',
      folder: paths.join(root, ...names),
      within: root,
    })),
  );
  return [
    ...named,
    { origin: 'user', folder: own, within: own },
    ...workspace,
    ...plugins.map(({ pluginId, rootDir, folder }): SkillPlace => ({
      origin: 'plugin',
      folder,
      within: rootDir,
      pluginId,
    })),
  ];
}
