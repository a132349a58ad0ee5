import { expect, it } from 'vitest';
import { pluginFolderName } from './pluginFolderName.ts';

it.each(['..', '.', '../../etc', 'a/b', 'a\\b', 'con', '*', 'x'.repeat(500), 'ß 🦀'])(
  'makes one harmless folder name of the id %s',
  (id) => {
    expect(pluginFolderName(id)).toMatch(/^p-[\w%~!'()-]{1,100}$/u);
  },
);
