// The service worker: the page works without a network after its first load, and says when there is a newer version.

/** @param {{notices: any, beforeReload: () => void}} parts */
export async function startOffline({ notices, beforeReload }) {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  let asked = false;
  function tellUpdate(waiting) {
    notices.show({
      key: "update",
      kind: "info",
      title: "A newer version of this page is ready.",
      text: "Your scripts stay.",
      actions: [
        {
          label: "Use it now",
          act: () => {
            asked = true;
            beforeReload();
            waiting.postMessage({ type: "use" });
          },
        },
        { label: "Later", act: () => notices.close("update") },
      ],
    });
  }
  try {
    const registration = await navigator.serviceWorker.register("service-worker.js");
    const watch = (worker) =>
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed" && navigator.serviceWorker.controller) tellUpdate(worker);
      });
    if (registration.waiting && navigator.serviceWorker.controller) tellUpdate(registration.waiting);
    registration.addEventListener("updatefound", () => watch(registration.installing));
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (asked) location.reload();
    });
  } catch {
    /* a browser or a server without service workers: the page needs its server then */
  }
}
