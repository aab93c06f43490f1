import { type GltfFile, indexOf, type Json, numbersOf, type objectOf, objectsOf } from './gltf-file.ts';
import { composeMatrix, identity, type Matrix, multiply } from './matrix.ts';
import { brokenModel, countText, unreadModel } from './model.ts';

/** A mesh where it stands in the scene. */
export interface PlacedMesh {
  mesh: number;
  node: number;
  matrix: Matrix;
}

const maxNodes = 200_000;

/** Walks the scene; INVALID_FILE where its nodes are no tree. */
export function placeMeshes({ json }: GltfFile): PlacedMesh[] {
  const nodes = objectsOf(json.nodes);
  if (nodes.length > maxNodes)
    throw unreadModel(
      `The scene has ${countText(nodes.length)} nodes; at most ${countText(maxNodes)} are read.`,
    );
  const scenes = objectsOf(json.scenes);
  const scene = scenes[indexOf(json.scene) ?? 0];
  const children = nodes.map((node) => indexesOf(node.children, nodes.length));
  const roots = scene ? indexesOf(scene.nodes, nodes.length) : rootsOf(children);
  const waiting = roots.map((node) => ({ node, matrix: identity })).reverse();
  const seen = new Uint8Array(nodes.length);
  const placed: PlacedMesh[] = [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next;
    if (seen[node])
      throw brokenModel(`The nodes of the glTF scene are no tree: node ${node} is reached twice.`);
    seen[node] = 1;
    const own = localMatrix(nodes[node] ?? {});
    const matrix =
      own === identity ? next.matrix : next.matrix === identity ? own : multiply(next.matrix, own);
    const mesh = indexOf(nodes[node]?.mesh);
    const isSkinned = indexOf(nodes[node]?.skin) !== null;
    if (mesh !== null) placed.push({ mesh, node, matrix: isSkinned ? identity : matrix });
    for (const child of [...(children[node] ?? [])].reverse()) waiting.push({ node: child, matrix });
  }
  return placed;
}

function indexesOf(value: Json | undefined, length: number): number[] {
  return numbersOf(value).map((index) => {
    if (!(Number.isInteger(index) && index >= 0 && index < length))
      throw brokenModel(`The glTF scene names node ${index}, but has ${length}.`);
    return index;
  });
}

/** Nodes that are no child; all of them when each is, so that a circle is met. */
function rootsOf(children: readonly number[][]): number[] {
  const isChild = new Uint8Array(children.length);
  for (const list of children) for (const child of list) isChild[child] = 1;
  const roots = children.map((_list, at) => at).filter((at) => !isChild[at]);
  return roots.length > 0 ? roots : children.map((_list, at) => at);
}

function localMatrix(node: ReturnType<typeof objectOf>): Matrix {
  const matrix = numbersOf(node.matrix);
  if (matrix.length === 16) return finite(matrix);
  if (node.translation === undefined && node.rotation === undefined && node.scale === undefined)
    return identity;
  const or = (value: Json | undefined, plain: number[]) => {
    const numbers = numbersOf(value);
    return numbers.length === plain.length ? numbers : plain;
  };
  return finite(
    composeMatrix(
      or(node.translation, [0, 0, 0]),
      or(node.rotation, [0, 0, 0, 1]),
      or(node.scale, [1, 1, 1]),
    ),
  );
}

function finite(matrix: Matrix): Matrix {
  if (!matrix.every(Number.isFinite))
    throw brokenModel('A node of the glTF scene stands at no finite place.');
  return matrix;
}
