// The command line under node: the environment of the shell, and the Lua library in its folder of the repository.
Module["preRun"] = () => {
  Object.assign(ENV, process.env);
  ENV.SPRINGTIDE_SCRIPTS = ENV.SPRINGTIDE_SCRIPTS || require("path").resolve(__dirname, "../../scripts");
};
