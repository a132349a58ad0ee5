import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';
import { imageTypeOf } from './imageTypeOf.ts';
import { pageText, type TextPage } from './pageText.ts';
import { requirePath, requireSamePath, type FoundPath } from './requirePath.ts';

const maxLines = 2_000;
const maxImageBytes = 5_000_000;
const imageName = /\.(?:png|jpe?g|gif|webp)$/iu;

const schema = z.strictObject({
  path: z.string().describe('File to read, relative to the workspace.'),
  offset: z.int().min(1).optional().describe('First line to read, counting from 1.'),
  limit: z.int().min(1).max(maxLines).optional().describe(`How many lines to read, at most ${maxLines}.`),
});

/** `read`: text of a file, a page at a time, or an image. */
export function createReadTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'read',
      label: 'Read',
      description:
        'Reads a text file, or shows an image (png, jpeg, gif, webp). A long file comes in pages; the note at the end of a page says how to go on.',
      schema,
      mayWrite: false,
      paths: ({ path }) => [path],
      prepare: async ({ path, offset = 1, limit = maxLines }) => {
        const file = await requirePath(deps, path, 'read');
        return {
          effects: [{ kind: 'read', path: file.path }],
          run: async () => {
            await requireSamePath(deps, file);
            if (imageName.test(file.path)) return await readImage(deps, file);
            return await readPage(deps, file, offset, limit);
          },
        };
      },
    },
    deps.layout,
  );
}

async function readPage(
  deps: CoreToolDeps,
  file: FoundPath,
  offset: number,
  limit: number,
): Promise<ToolResult> {
  const text = (await deps.files.readText(file.path, file.root))?.replace(/^\uFEFF/u, '');
  if (text === undefined)
    throw new PincerError('path_not_found', `${file.label} was removed in the meantime.`);
  if (text === '') return textResult(`[${file.label} is empty.]`);
  const page = pageText(text, offset, { lines: limit, chars: deps.maxResultChars - 200 });
  if (page.last < page.first) {
    throw new PincerError('offset_too_large', `${file.label} has only ${page.total} lines.`, {
      hint: `Use an offset from 1 to ${page.total}.`,
    });
  }
  const { first, last, total } = page;
  return textResult(page.text + noteOf(page), { path: file.label, first, last, total });
}

function noteOf({ first, last, total, isLineCut }: TextPage): string {
  const rest = last < total ? ` Read on with offset ${last + 1}.` : '';
  if (isLineCut)
    return `\n\n[Line ${first} of ${total} is too long and was cut. Use grep to search in it.${rest}]`;
  if (first === 1 && last === total) return '';
  return `\n\n[Lines ${first} to ${last} of ${total}.${rest}]`;
}

async function readImage(deps: CoreToolDeps, file: FoundPath): Promise<ToolResult> {
  const bytes = await deps.files.readBytes(file.path, maxImageBytes, file.root);
  const mimeType = imageTypeOf(bytes);
  if (mimeType === undefined) {
    throw new PincerError(
      'image_unknown',
      `${file.label} is not a PNG, JPEG, GIF or WebP image, whatever its name says.`,
    );
  }
  return {
    content: [
      { type: 'text', text: `Image ${file.label} (${mimeType}, ${bytes.length} bytes)` },
      { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType },
    ],
    details: { path: file.label, mimeType },
  };
}
