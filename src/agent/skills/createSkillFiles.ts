import type { FileSystem } from '../../host/ports.ts';
import { protectionOf } from '../../tools/paths/protectedPaths.ts';
import { flavourOf } from '../../tools/paths/workspaceLayout.ts';
import { createTextCache } from '../prompt/createTextCache.ts';
import { skillFileUnknown } from './skillErrors.ts';
import { skillFileName } from './parseSkillFile.ts';
import type { Skill } from './skill.ts';

/** What lies beside a SKILL.md. */
export interface SkillFiles {
  /** Paths below the skill's folder with forward slashes, sorted, at most 100; hidden ones and links are left out. */
  list(skill: Skill): Promise<readonly string[]>;
  /** @throws PincerError `skill_file_unknown` */
  read(skill: Skill, file: string): Promise<string>;
}

const maxFiles = 100;
const maxDepth = 3;

export function createSkillFiles(fs: FileSystem, platform: NodeJS.Platform): SkillFiles {
  const texts = createTextCache({ fs, platform });
  const paths = flavourOf(platform);

  const walk = async (folder: string, names: readonly string[], found: string[]): Promise<void> => {
    const entries = await fs.readDirectory(paths.join(folder, ...names)).catch(() => []);
    for (const { name, kind } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = [...names, name];
      if (found.length >= maxFiles || name.startsWith('.') || name === 'node_modules') continue;
      if (kind === 'directory' && path.length < maxDepth) await walk(folder, path, found);
      const isOther = kind === 'file' && path.join('/') !== skillFileName;
      if (isOther && protectionOf(path, 'read') === undefined) found.push(path.join('/'));
    }
  };

  return {
    async list({ folder }) {
      const found: string[] = [];
      await walk(folder, [], found);
      return found;
    },
    async read({ name, folder }, file) {
      const names = file.split(/[\\/]/u);
      const fault = nameFault(names);
      if (fault !== undefined) throw skillFileUnknown(name, file, fault);
      const read = await texts.read(folder, paths.join(folder, ...names));
      if (read.status === 'missing') throw skillFileUnknown(name, file, 'nothing is there');
      if (read.status === 'refused') throw skillFileUnknown(name, file, read.why);
      if (read.text.includes('\0')) throw skillFileUnknown(name, file, 'it is no text');
      return read.text;
    },
  };
}

function nameFault(names: readonly string[]): string | undefined {
  if (
    names.some(
      (each) => each === '' || each === '.' || each === '..' || each.includes(':') || each.includes('\0'),
    )
  )
    return 'a path must lead down from the folder of the skill';
  return protectionOf(names, 'read');
}
