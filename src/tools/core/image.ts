import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import type { ImagePart } from '../../contracts/message.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';
import { imageTypeOf } from './imageTypeOf.ts';
import { requirePath, requireSamePath, type FoundPath } from './requirePath.ts';

/** Asks a model that reads images. */
export interface ImageReader {
  /** Why no model can be asked, as the end of a sentence. */
  unavailable(): string | undefined;
  /** @throws PincerError `model_*`, `cancelled` */
  describe(request: {
    readonly prompt: string;
    readonly images: readonly ImagePart[];
    readonly signal: AbortSignal;
  }): Promise<{ readonly text: string; /** `provider/model` */ readonly model: string }>;
}

interface ImageToolDeps extends Pick<CoreToolDeps, 'fs' | 'files' | 'layout'> {
  readonly reader: ImageReader;
}

const maxImages = 4;
const maxImageBytes = 5_000_000;
const defaultPrompt = 'Describe the image.';

const schema = z
  .strictObject({
    prompt: z.string().max(4_000).optional().describe(`What to find out. Default: ${defaultPrompt}`),
    image: z.string().min(1).optional().describe('An image file, relative to the workspace.'),
    images: z
      .array(z.string().min(1))
      .max(maxImages)
      .optional()
      .describe(`Several image files, at most ${maxImages} in all.`),
  })
  .describe('Give image or images.');

/** `image`: what a model that reads images says of images in the workspace. Upstream's name and parameters. */
export function createImageTool({ reader, ...deps }: ImageToolDeps): AgentTool {
  const tool = createCoreTool(
    {
      name: 'image',
      label: 'Look at image',
      description:
        'Asks a model that reads images about image files of the workspace (png, jpeg, gif, webp). Use read instead where you see images yourself.',
      schema,
      mayWrite: false,
      paths: pathsIn,
      prepare: async (params, { turn }) => {
        const paths = pathsIn(params);
        if (paths.length === 0 || paths.length > maxImages)
          throw new PincerError('params_invalid', `image takes 1 to ${maxImages} images.`, {
            hint: 'Give the path of an image file as image.',
          });
        const found = await Promise.all(paths.map((path) => requirePath(deps, path, 'read')));
        return {
          effects: found.map(({ path }) => ({ kind: 'read', path })),
          run: async (run) => {
            const images = await Promise.all(found.map((file) => readImage(deps, file)));
            const { prompt = defaultPrompt } = params;
            const both = AbortSignal.any([turn.signal, run.signal]);
            const answer = await reader.describe({ prompt, images, signal: both });
            return textResult(answer.text, {
              images: found.map(({ label }) => label),
              model: answer.model,
            });
          },
        };
      },
    },
    deps.layout,
  );
  return { ...tool, unavailable: () => reader.unavailable() };
}

function pathsIn({ image, images = [] }: z.infer<typeof schema>): readonly string[] {
  return [...new Set([...(image === undefined ? [] : [image]), ...images])];
}

async function readImage(deps: Omit<ImageToolDeps, 'reader'>, file: FoundPath): Promise<ImagePart> {
  await requireSamePath(deps, file);
  const bytes = await deps.files.readBytes(file.path, maxImageBytes, file.root);
  const mimeType = imageTypeOf(bytes);
  if (mimeType === undefined)
    throw new PincerError('image_unknown', `${file.label} is not a PNG, JPEG, GIF or WebP image.`, {
      hint: 'Use read for other files.',
    });
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType };
}
