const notTest = '\\.test\\.tsx?$|/testing/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'shared-is-pure',
      severity: 'error',
      from: { path: '^shared/', pathNot: notTest },
      to: { pathNot: '^shared/|^node_modules/zod/' },
    },
    { name: 'web-not-server', severity: 'error', from: { path: '^web/' }, to: { path: '^server/' } },
    { name: 'server-not-web', severity: 'error', from: { path: '^server/' }, to: { path: '^web/' } },
    {
      name: 'usecases-know-ports',
      severity: 'error',
      from: { path: '^server/usecases/', pathNot: notTest },
      to: { path: '^server/(adapters|engines|http|cli)/|^node_modules/(?!zod/)' },
    },
    {
      name: 'ports-are-interfaces',
      severity: 'error',
      from: { path: '^server/ports/' },
      to: { pathNot: '^server/ports/|^shared/|^stream$' },
    },
    {
      name: 'adapters-are-apart',
      severity: 'error',
      from: { path: '^server/adapters/([^/]+)/', pathNot: notTest },
      to: { path: '^server/adapters/([^/]+)/', pathNot: '^server/adapters/$1/' },
    },
    {
      name: 'lance-in-one-place',
      severity: 'error',
      from: { pathNot: '^server/adapters/lance/|^bench/|\\.test\\.ts$|^server/testing/' },
      to: { path: '^node_modules/@lancedb/' },
    },
    {
      name: 'duckdb-in-one-place',
      severity: 'error',
      from: { pathNot: '^server/adapters/duckdb/|^bench/|\\.test\\.ts$' },
      to: { path: '^node_modules/@duckdb/node-' },
    },
    {
      name: 'duckdb-wasm-in-one-place',
      severity: 'error',
      from: { pathNot: '^web/engine/|^bench/|\\.test\\.ts$' },
      to: { path: '^node_modules/@duckdb/duckdb-wasm' },
    },
    {
      name: 'arrow-in-one-place',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/arrow/arrow\\.ts$' },
      to: { path: '^node_modules/apache-arrow/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-through-index',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/', pathNot: notTest },
      to: {
        path: '^web/features/([^/]+)/',
        pathNot: '^web/features/$1/|^web/features/[^/]+/(index|chips)\\.tsx?$',
      },
    },
    {
      name: 'app-through-index',
      severity: 'error',
      from: { path: '^web/(app|state|ui|api|engine)/' },
      to: { path: '^web/features/', pathNot: '^web/features/[^/]+/index\\.tsx?$' },
    },
    {
      name: 'ui-is-dumb',
      severity: 'error',
      from: { path: '^web/ui/', pathNot: notTest },
      to: { path: '^web/(api|state|features|engine)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
