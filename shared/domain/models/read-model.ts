import { openGltf } from './gltf-file.ts';
import {
  countText,
  type Model,
  type ModelFact,
  type ModelLimits,
  type ModelType,
  unreadModel,
} from './model.ts';
import { parsePlyHeader } from './ply-header.ts';
import { countGltf, gltfFacts, readGltf } from './read-gltf.ts';
import { readObj } from './read-obj.ts';
import { plyHeaderFacts, readPly } from './read-ply.ts';
import { isStlText, readStl, stlFaceCount, stlHeadBytes } from './read-stl.ts';

/**
 * Reads a point cloud or mesh into what can be drawn, and fetches nothing. INVALID_FILE where the file is not what it
 * says (cut off, indices out of range, no finite place), UNSUPPORTED_MEDIA where it may be right but is beyond what is
 * read or drawn. Time and memory grow with the bytes, never with what a header claims.
 */
export function readModel(bytes: Uint8Array, contentType: ModelType, limits: ModelLimits): Model {
  switch (contentType) {
    case 'model/ply':
      return readPly(bytes, limits);
    case 'model/stl':
      return readStl(bytes, limits);
    case 'model/obj':
      return readObj(bytes, limits);
    case 'model/gltf-binary':
      return readGltf(bytes, true, limits);
    case 'model/gltf+json':
      return readGltf(bytes, false, limits);
  }
}

/** What the first bytes of a file say, where it is too large to be read whole. Errors as {@link readModel}. */
export function readModelHead(head: Uint8Array, contentType: ModelType): ModelFact[] {
  switch (contentType) {
    case 'model/ply':
      return plyHeaderFacts(parsePlyHeader(head)).facts;
    case 'model/stl':
      return isStlText(head) || head.length < stlHeadBytes
        ? [{ name: 'format', value: 'STL, text' }]
        : [
            { name: 'format', value: 'STL, binary' },
            { name: 'faces', value: countText(stlFaceCount(head)) },
          ];
    case 'model/obj':
      return [{ name: 'format', value: 'OBJ' }];
    case 'model/gltf-binary': {
      const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
      const length = head.length < 20 ? 0 : view.getUint32(12, true);
      if (length + 20 > head.length)
        throw unreadModel('The description of the glTF scene is too large to be read alone.');
      const alone = head.slice(0, 20 + length);
      new DataView(alone.buffer).setUint32(8, alone.length, true);
      const file = openGltf(alone, true);
      return gltfFacts(file, countGltf(file));
    }
    case 'model/gltf+json':
      return [{ name: 'format', value: 'glTF 2, JSON' }];
  }
}
