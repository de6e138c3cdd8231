# A user's own account.

change-password = Cambiar la contraseña
change-password-about = Se cerrarán todas tus demás sesiones.
second-factor-on = activada
second-factor-about = Con la verificación en dos pasos, para iniciar sesión hacen falta tu contraseña y un código de tu teléfono. Una contraseña robada, por sí sola, no abre nada.
second-factor-set-up = Activar la verificación en dos pasos
second-factor-step-app = Instala una aplicación de autenticación en el teléfono o usa la de tu gestor de contraseñas.
second-factor-step-scan = Escanea este código con la aplicación.
second-factor-step-type = Si no puede escanearlo, escribe esto en ella:
second-factor-qr = Código QR para la aplicación de autenticación
second-factor-remove = Desactivar la verificación en dos pasos
second-factor-remove-about = Desde ese momento bastará con la contraseña.
hint-code-or-recovery = O uno de tus códigos de recuperación. Hace falta para lo que sigue.
codes-left = { $count ->
    [0] No queda ningún código de recuperación. Crea otros.
    [one] Queda un código de recuperación.
   *[other] Quedan { $count } códigos de recuperación.
}
codes-renew = Crear códigos de recuperación nuevos
codes-renew-about = Los anteriores dejan de servir.
codes-title = Tus códigos de recuperación
codes-once = Apúntalos o imprímelos ahora: no se vuelven a mostrar.
codes-about = Si no tienes el teléfono, cada uno sustituye una vez al código de la aplicación.
codes-kept = Ya he guardado los códigos
sessions = Dónde tienes la sesión abierta
sessions-about = Cierra las que no reconozcas y cambia tu contraseña.
sessions-end = Cerrar todas las demás
session-device = Navegador
browser-on = { $browser } en { $system }
browser-unknown = un navegador que no lo dijo
session-address = Dirección
session-began = Inicio
session-seen = Último uso
session-end = Cerrar
session-this = esta
