import * as z from 'zod';
import type { Contract, Reply, Route } from '#shared/api/contract-kit.ts';
import { Problem } from '#shared/api/problem.ts';
import { arrowStreamType, problemType } from '#shared/api/wire.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
};

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function contentOf(reply: Reply): Json {
  switch (reply.kind) {
    case 'json':
      return {
        [String(reply.status)]: {
          description: 'The answer',
          content: { 'application/json': { schema: schemaOf(reply.schema, 'output') } },
        },
      };
    case 'arrow':
      return {
        200: {
          description: 'Rows',
          content: { [arrowStreamType]: { schema: { type: 'string', format: 'binary' } } },
        },
      };
    case 'bytes':
      return {
        200: {
          description: 'Bytes',
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
      };
    case 'events':
      return {
        200: {
          description: 'Events',
          content: { 'text/event-stream': { schema: schemaOf(reply.schema, 'output') } },
        },
      };
    case 'none':
      return { 204: { description: 'Done' } };
  }
}

function bodyOf(route: Route): Json {
  if (route.isMultipart)
    return {
      requestBody: {
        content: {
          'application/json': { schema: { type: 'object' } },
          'multipart/form-data': { schema: { type: 'object' } },
        },
      },
    };
  if (!route.body) return {};
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
    },
  };
}

/** The OpenAPI 3.1 document of a contract. */
export function buildOpenApi(contract: Contract, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, route] of Object.entries(contract)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      operationId: id,
      summary: route.summary,
      parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
      ...bodyOf(route),
      responses: {
        ...contentOf(route.reply),
        default: {
          description: 'A problem (RFC 9457)',
          content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Curio', version },
    paths,
    components: { schemas: { Problem: schemaOf(Problem, 'output') } },
  };
}
