import { createRandom } from './createRandom.ts';
import { tinyVocabulary } from './tinyVocabulary.ts';

/** Numbers of one text's vector. */
export const tinyOnnxDimensions = 16;
/** Tokens of one text at most. */
export const tinyOnnxContext = 64;

/** Element types of the format. */
const float = 1;
const int64 = 7;

/**
 * A model as transformers reads it, file by file: a table with one row of random numbers for each word (`Gather`), of which
 * the pooling takes the mean. So the vector of a text of one kind of word is known.
 */
export function buildTinyOnnx(seed = 1): Readonly<Record<string, string | Uint8Array>> {
  return {
    'onnx/model.onnx': onnxModel(createRandom(seed)),
    'config.json': JSON.stringify({ model_type: 'bert', hidden_size: tinyOnnxDimensions }),
    'tokenizer_config.json': JSON.stringify({
      tokenizer_class: 'BertTokenizer',
      model_max_length: tinyOnnxContext,
      pad_token: '[PAD]',
    }),
    'tokenizer.json': JSON.stringify(tokenizer()),
  };
}

function tokenizer(): unknown {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    // No frame around the text, so that its vector is the mean of its words alone.
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tinyVocabulary.map((word, id) => [word, id])),
    },
  };
}

/** `ModelProto`: IR version 8, operator set 13. */
function onnxModel(random: () => number): Uint8Array {
  const node = concat([
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  ]);
  const graph = concat([
    bytes(1, node),
    text(2, 'tiny'),
    bytes(5, table(random)),
    bytes(11, valueInfo('input_ids', int64, ['batch', 'tokens'])),
    bytes(11, valueInfo('attention_mask', int64, ['batch', 'tokens'])),
    bytes(12, valueInfo('last_hidden_state', float, ['batch', 'tokens', tinyOnnxDimensions])),
  ]);
  return concat([number(1, 8), bytes(7, graph), bytes(8, number(2, 13))]);
}

/** `TensorProto`: dimensions, type, name, raw data. */
function table(random: () => number): Uint8Array {
  const values = Float32Array.from({ length: tinyVocabulary.length * tinyOnnxDimensions }, random);
  return concat([
    number(1, tinyVocabulary.length),
    number(1, tinyOnnxDimensions),
    number(2, float),
    text(8, 'table'),
    bytes(9, new Uint8Array(values.buffer)),
  ]);
}

/** `ValueInfoProto`: a name, and a tensor's type with a shape of names and numbers. */
function valueInfo(name: string, type: number, shape: readonly (string | number)[]): Uint8Array {
  const dimensions = shape.map((each) =>
    bytes(1, typeof each === 'string' ? text(2, each) : number(1, each)),
  );
  const tensor = concat([number(1, type), bytes(2, concat(dimensions))]);
  return concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

function number(field: number, value: number): Uint8Array {
  return concat([varint(field * 8), varint(value)]);
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return concat([varint(field * 8 + 2), varint(value.length), value]);
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

/** Seven bits a byte, lowest first. */
function varint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from([...out, rest]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
