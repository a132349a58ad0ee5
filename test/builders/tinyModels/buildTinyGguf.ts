import { createRandom } from './createRandom.ts';
import { tinyVocabulary } from './tinyVocabulary.ts';

/** Numbers of one text's vector. */
export const tinyGgufDimensions = 32;
/** Tokens of one text at most. */
export const tinyGgufContext = 64;

const layers = 1;
const heads = 2;
const feedForward = 64;
/** The data of each tensor begins at a multiple of it; bytes. */
const alignment = 32;

/** The value types of the format, by their numbers in it. */
const types = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;

interface Tensor {
  readonly name: string;
  /** Innermost first, as the format writes them. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/**
 * A GGUF file (version 3) with the smallest BERT that llama.cpp computes: one layer, a few words, weights from a seed. What it
 * says of a text means nothing; that the same text gives the same vector, and another text another, is what it is for.
 */
export function buildTinyGguf(seed = 1): Uint8Array {
  const fields = metadata();
  const tensors = weights(createRandom(seed));
  const head = concat([
    text4('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(fields.length),
    ...fields,
    ...describe(tensors),
  ]);
  return concat([pad(head), ...tensors.map(({ values }) => pad(new Uint8Array(values.buffer)))]);
}

function metadata(): readonly Uint8Array[] {
  const words = tinyVocabulary;
  const id = (word: string): Uint8Array => u32(words.indexOf(word));
  return [
    field('general.architecture', types.string, string('bert')),
    field('general.name', types.string, string('tiny')),
    field('bert.block_count', types.u32, u32(layers)),
    field('bert.context_length', types.u32, u32(tinyGgufContext)),
    field('bert.embedding_length', types.u32, u32(tinyGgufDimensions)),
    field('bert.feed_forward_length', types.u32, u32(feedForward)),
    field('bert.attention.head_count', types.u32, u32(heads)),
    field('bert.attention.layer_norm_epsilon', types.f32, f32(1e-12)),
    field('bert.attention.causal', types.bool, Uint8Array.of(0)),
    // 1 is the mean over the tokens.
    field('bert.pooling_type', types.u32, u32(1)),
    field('general.file_type', types.u32, u32(0)),
    field('tokenizer.ggml.model', types.string, string('bert')),
    field('tokenizer.ggml.token_type_count', types.u32, u32(2)),
    field('tokenizer.ggml.tokens', types.array, array(types.string, words.map(ggmlWord).map(string))),
    field('tokenizer.ggml.token_type', types.array, array(types.i32, words.map(kindOf).map(u32))),
    field('tokenizer.ggml.padding_token_id', types.u32, id('[PAD]')),
    field('tokenizer.ggml.unknown_token_id', types.u32, id('[UNK]')),
    field('tokenizer.ggml.bos_token_id', types.u32, id('[CLS]')),
    field('tokenizer.ggml.cls_token_id', types.u32, id('[CLS]')),
    field('tokenizer.ggml.eos_token_id', types.u32, id('[SEP]')),
    field('tokenizer.ggml.seperator_token_id', types.u32, id('[SEP]')),
  ];
}

/** Words that begin carry llama.cpp's mark, words that go on do without their `##`. */
function ggmlWord(word: string): string {
  if (word.startsWith('[')) return word;
  return word.startsWith('##') ? word.slice(2) : `\u2581${word}`;
}

/** 1 is a word, 2 stands for unknown ones, 3 is control. */
function kindOf(word: string): number {
  if (word === '[UNK]') return 2;
  return word.startsWith('[') ? 3 : 1;
}

function weights(random: () => number): readonly Tensor[] {
  const width = tinyGgufDimensions;
  const noise = (name: string, ...shape: number[]): Tensor => fill(name, shape, random);
  const norm = (name: string): readonly Tensor[] => [
    fill(`${name}.weight`, [width], () => 1),
    fill(`${name}.bias`, [width], () => 0),
  ];
  const linear = (name: string, from: number, to: number): readonly Tensor[] => [
    noise(`${name}.weight`, from, to),
    noise(`${name}.bias`, to),
  ];
  return [
    noise('token_embd.weight', width, tinyVocabulary.length),
    noise('token_types.weight', width, 2),
    noise('position_embd.weight', width, tinyGgufContext),
    ...norm('token_embd_norm'),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].flatMap((name) => linear(`blk.0.${name}`, width, width)),
    ...norm('blk.0.attn_output_norm'),
    ...linear('blk.0.ffn_up', width, feedForward),
    ...linear('blk.0.ffn_down', feedForward, width),
    ...norm('blk.0.layer_output_norm'),
  ];
}

function fill(name: string, shape: readonly number[], value: () => number): Tensor {
  const size = shape.reduce((product, each) => product * each, 1);
  return { name, shape, values: Float32Array.from({ length: size }, value) };
}

/** Name, shape, type (0 is float32) and place of each tensor; places count from the first one. */
function describe(tensors: readonly Tensor[]): readonly Uint8Array[] {
  let offset = 0;
  return tensors.map(({ name, shape, values }) => {
    const row = concat([string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += Math.ceil(values.byteLength / alignment) * alignment;
    return row;
  });
}

function field(name: string, type: number, value: Uint8Array): Uint8Array {
  return concat([string(name), u32(type), value]);
}

function array(type: number, values: readonly Uint8Array[]): Uint8Array {
  return concat([u32(type), u64(values.length), ...values]);
}

function string(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return concat([u64(bytes.length), bytes]);
}

function text4(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function u32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function u64(value: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
}

function f32(value: number): Uint8Array {
  return new Uint8Array(Float32Array.of(value).buffer);
}

function pad(bytes: Uint8Array): Uint8Array {
  return concat([bytes, new Uint8Array((alignment - (bytes.length % alignment)) % alignment)]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
