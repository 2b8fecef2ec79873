// Runs a module in a process of its own. The arguments are the module and what its `load` takes; each message names a function
// of those that `load` gives, and its arguments. This is plain JavaScript, because a TypeScript compiler in the process would
// add to its time and memory.
const [module, ...args] = process.argv.slice(2);
const { load } = await import(module);
const functions = await load(...args);

process.on('message', async ([name, ...values]) => {
  try {
    process.send({ value: await functions[name](...values) });
  } catch (error) {
    process.send({ error: String(error?.message ?? error) });
  }
});
