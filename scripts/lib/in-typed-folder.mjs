// Preloaded by `npm run trace`. npm runs scripts in the folder of package.json; file names are those of the folder where the
// command was typed, which INIT_CWD names. The last preload, as the names of the others are relative, too.
const { INIT_CWD: typedFolder } = process.env;
if (typedFolder) process.chdir(typedFolder);
