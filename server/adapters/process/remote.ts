import type { CallContext, RemotePort } from '../../ports/call.ts';
import type { EnginePool } from './engine-pool.ts';

/**
 * A port whose methods run in the processes of a pool; `choose` may send a call elsewhere by its method and input.
 * Methods in `local` run here: those that touch no native code and are asked for with every request.
 */
export function createRemote<P extends RemotePort<P>>(
  choose: (method: string, input: unknown) => EnginePool,
  local: Partial<P> = {},
): P {
  return new Proxy({} as P, {
    get(_target, method) {
      if (typeof method !== 'string' || method === 'then') return undefined;
      const own: unknown = Reflect.get(local, method);
      if (own !== undefined) return own;
      return (input: unknown, context: CallContext) => choose(method, input).call(method, input, context);
    },
  });
}
