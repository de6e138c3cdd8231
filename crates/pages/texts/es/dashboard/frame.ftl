# The frame: sections, the way to a producer, and what was just done.

sections = Secciones
crumbs = Estás en

section-overview = Resumen
section-events = Eventos
section-orders = Pedidos
section-tickets = Entradas
section-door = Puerta
section-reports = Informes
section-data = Exportar e importar
section-people = Datos personales
section-keys = Claves de API
section-webhooks = Webhooks
section-payments = Cuenta de cobros
section-team = Equipo
section-history = Historial
section-settings = Ajustes
section-account = Tu cuenta
section-service = Este servicio

done-begun = Te damos la bienvenida. Tu organización está lista.
done-joined = Te damos la bienvenida al equipo.
done-saved = Guardado.
done-password = Contraseña cambiada. Se han cerrado todas las demás sesiones.
done-key-revoked = Clave revocada. Desde ahora ya no sirve para usar la API.
done-endpoint-changed = Destino cambiado.
done-endpoint-paused = No se envía nada hasta que lo reanudes. Los mensajes esperan hasta 30 días.
done-endpoint-resumed = Los mensajes vuelven a enviarse, primero los más antiguos.
done-endpoint-deleted = Destino eliminado.
done-test-sent = Mensaje de prueba enviado. Abajo puedes ver el resultado.
done-replayed = Los mensajes se envían otra vez.
done-withdrawn = Invitación retirada. Su enlace ya no funciona.
done-role-changed = Esta persona ya tiene otro rol.
done-role-saved = Guardado. Vale desde ahora.
done-removed = Esta persona ya no está en el equipo.
done-second-factor-set = Guardado.
done-second-factor-required = Este equipo exige la verificación en dos pasos. Actívala para seguir.
done-second-factor-off = Verificación en dos pasos desactivada.
done-session-ended = Sesión cerrada.
done-producer-made = Organización creada. La administras tú.
done-user-disabled = Cuenta desactivada. Se han cerrado todas sus sesiones.
done-user-enabled = Cuenta activada. Ya puede volver a iniciar sesión.

choose-producer = Elige una organización
no-producer = No estás en ninguna organización
no-producer-lead = Pide una invitación a quien administra la tuya.
forbidden-title = No tienes permiso para hacer esto
forbidden-lead = A tu rol le falta el permiso «{ $right }».
forbidden-advice = El intento queda anotado en el historial. Quien administra el equipo puede darte un rol que lo permita.
